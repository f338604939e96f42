import { type Chunk, chunksIn } from '../containers/riff-chunks.js';
import type { FileBytes } from '../file-bytes.js';
import type { MediaReader } from '../media-reader.js';
import { secondsOf } from '../seconds.js';
import { damaged } from '../unreadable.js';

const CHUNKS_AT = 12;

/** AVI: the stream headers have length and rate (Microsoft's RIFF, AVISTREAMHEADER). */
export const avi: MediaReader = {
  kind: 'video',
  matches: (file) => file.is(0, 'RIFF') && file.is(8, 'AVI '),
  read: (file) => {
    const streams = streamHeaders(file);
    const film = streams.find(({ start }) => file.is(start, 'vids'));
    if (film === undefined) throw damaged();
    const frames = file.u32le(film.start + 32);
    const seconds = secondsOf(frames * file.u32le(film.start + 20), file.u32le(film.start + 24));
    const hasAudio = streams.some(({ start }) => file.is(start, 'auds'));
    return { kind: 'video', seconds, hasAudio, mimeType: 'video/x-msvideo' };
  },
};

function streamHeaders(file: FileBytes): Chunk[] {
  const [header] = listsIn(file, { start: CHUNKS_AT }, 'hdrl');
  if (header === undefined) throw damaged();
  return [...listsIn(file, header, 'strl')].flatMap((list) =>
    [...chunksIn(file, list)].filter(({ id }) => id === 'strh').slice(0, 1),
  );
}

/** The lists of this name, without the name. */
function* listsIn(
  file: FileBytes,
  extent: { readonly start: number; readonly end?: number },
  name: string,
): Generator<Chunk> {
  for (const { id, start, end } of chunksIn(file, extent)) {
    if (id === 'LIST' && file.is(start, name)) yield { id: name, start: start + 4, end };
    // Pictures and sound follow; headers stand before them.
    if (id === 'LIST' && file.is(start, 'movi')) return;
  }
}
