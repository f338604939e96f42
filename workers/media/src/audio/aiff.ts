import { chunksIn } from '../containers/riff-chunks.js';
import type { FileBytes } from '../file-bytes.js';
import type { MediaReader } from '../media-reader.js';
import { audioFacts } from '../seconds.js';
import { damaged } from '../unreadable.js';

const CHUNKS_AT = 12;

/** AIFF and AIFF-C: the common chunk has samples and rate (Apple's AIFF 1.3). */
export const aiff: MediaReader = {
  kind: 'audio',
  matches: (file) => file.is(0, 'FORM') && (file.is(8, 'AIFF') || file.is(8, 'AIFC')),
  read: (file) => {
    for (const { id, start } of chunksIn(file, { start: CHUNKS_AT }, 'iff'))
      if (id === 'COMM') return audioFacts('audio/aiff', file.u32(start + 2), extended(file, start + 8));
    throw damaged();
  },
};

/** A number of 80 bits: 15 of exponent, 64 of mantissa. */
function extended(file: FileBytes, at: number): number {
  const exponent = (file.u16(at) & 0x7fff) - 16383 - 63;
  return file.u64(at + 2) * 2 ** exponent;
}
