import type { MediaFacts } from '@preflight/core';
import { type Box, boxesIn, boxIn, brandsOf, requiredBox, WHOLE } from '../containers/iso-boxes.js';
import type { FileBytes } from '../file-bytes.js';
import type { MediaReader } from '../media-reader.js';
import type { MediaType } from '../media-types.js';
import { secondsOf } from '../seconds.js';
import { fragmentedSeconds } from './mp4-fragments.js';

/** Boxes with which files of QuickTime begin that name no brand. */
const FIRST_BOXES = ['moov', 'mdat', 'wide', 'free', 'skip'];

/** MP4, M4A and QuickTime: the movie header, or else the fragments (ISO/IEC 14496-12 §8.2.2, §8.8). */
export const mp4: MediaReader = {
  kind: 'video',
  matches: (file) => file.is(4, 'ftyp') || FIRST_BOXES.some((type) => file.is(4, type)),
  read: (file): MediaFacts => {
    const movie = requiredBox(file, WHOLE, 'moov');
    const tracks = [...boxesIn(file, movie)]
      .filter(({ type }) => type === 'trak')
      .map((track) => trackOf(file, track));
    const film = tracks.find(({ handler }) => handler === 'vide');
    const sound = tracks.find(({ handler }) => handler === 'soun');
    const { ticks, ticksPerSecond } = timesIn(file, requiredBox(file, movie, 'mvhd'));
    const timed = film ?? sound;
    const seconds =
      ticks > 0 || timed === undefined
        ? secondsOf(ticks, ticksPerSecond)
        : secondsOf(fragmentedSeconds(file, movie, timed), 1);
    if (film === undefined && sound !== undefined) return { kind: 'audio', seconds, mimeType: 'audio/mp4' };
    const mimeType: MediaType =
      brandsOf(file)[0]?.startsWith('qt') === false ? 'video/mp4' : 'video/quicktime';
    return { kind: 'video', seconds, hasAudio: sound !== undefined, mimeType };
  },
};

export interface Track {
  readonly id: number;
  /** `vide` for pictures, `soun` for sound. */
  readonly handler: string;
  readonly ticksPerSecond: number;
}

function trackOf(file: FileBytes, track: Box): Track {
  const header = requiredBox(file, track, 'tkhd');
  const media = requiredBox(file, track, 'mdia');
  const handler = boxIn(file, media, 'hdlr');
  return {
    id: file.u32(header.start + (isLong(file, header) ? 20 : 12)),
    handler: handler === undefined ? '' : file.ascii(handler.start + 8, 4),
    ticksPerSecond: timesIn(file, requiredBox(file, media, 'mdhd')).ticksPerSecond,
  };
}

/** Length and clock of a header of the movie or of a track. No ticks where the length was not known. */
function timesIn(file: FileBytes, header: Box): { ticks: number; ticksPerSecond: number } {
  const at = header.start + (isLong(file, header) ? 20 : 12);
  const ticks = isLong(file, header) ? file.u64(at + 4) : file.u32(at + 4);
  const unknown = isLong(file, header) ? 2 ** 64 : 0xffff_ffff;
  return { ticks: ticks >= unknown ? 0 : ticks, ticksPerSecond: file.u32(at) };
}

/** Times of version 1 have 64 bits. */
function isLong(file: FileBytes, { start }: Box): boolean {
  return file.u8(start) === 1;
}
