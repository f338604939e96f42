import { type Box, boxesIn, boxIn, WHOLE } from '../containers/iso-boxes.js';
import type { FileBytes } from '../file-bytes.js';
import type { Track } from './mp4.js';

/** Which fields a box has, by its flags (ISO/IEC 14496-12 §8.8.7, §8.8.8). */
const TFHD = { baseOffset: 0x1, description: 0x2, duration: 0x8 };
const TRUN = { dataOffset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, offset: 0x800 };
const RUN_FIELDS = [TRUN.duration, TRUN.size, TRUN.flags, TRUN.offset];

/** How long a track is whose samples come in fragments: 0 where there are none. */
export function fragmentedSeconds(file: FileBytes, movie: Box, { id, ticksPerSecond }: Track): number {
  const ofTrack = defaultTicks(file, movie, id);
  let endTicks = 0;
  for (const fragment of boxesIn(file, WHOLE)) {
    if (fragment.type !== 'moof') continue;
    for (const part of boxesIn(file, fragment)) {
      if (part.type !== 'traf') continue;
      const header = boxIn(file, part, 'tfhd');
      if (header === undefined || file.u32(header.start + 4) !== id) continue;
      const time = boxIn(file, part, 'tfdt');
      if (time !== undefined)
        endTicks = file.u8(time.start) === 1 ? file.u64(time.start + 4) : file.u32(time.start + 4);
      const ticks = ticksInHeader(file, header) ?? ofTrack;
      for (const run of boxesIn(file, part))
        if (run.type === 'trun') endTicks += ticksInRun(file, run, ticks);
    }
  }
  return endTicks / ticksPerSecond;
}

/** Ticks of a sample that says nothing else. */
function defaultTicks(file: FileBytes, movie: Box, id: number): number {
  const extended = boxIn(file, movie, 'mvex');
  if (extended === undefined) return 0;
  for (const { type, start } of boxesIn(file, extended))
    if (type === 'trex' && file.u32(start + 4) === id) return file.u32(start + 12);
  return 0;
}

function ticksInHeader(file: FileBytes, { start }: Box): number | undefined {
  const flags = file.u24(start + 1);
  if ((flags & TFHD.duration) === 0) return undefined;
  return file.u32(start + 8 + (flags & TFHD.baseOffset ? 8 : 0) + (flags & TFHD.description ? 4 : 0));
}

function ticksInRun(file: FileBytes, { start, end }: Box, defaultSampleTicks: number): number {
  const flags = file.u24(start + 1);
  const count = file.u32(start + 4);
  if ((flags & TRUN.duration) === 0) return count * defaultSampleTicks;
  const stride = 4 * RUN_FIELDS.filter((field) => (flags & field) !== 0).length;
  const first = start + 8 + (flags & TRUN.dataOffset ? 4 : 0) + (flags & TRUN.firstFlags ? 4 : 0);
  let ticks = 0;
  for (let i = 0; i < count && first + (i + 1) * stride <= end; i++) ticks += file.u32(first + i * stride);
  return ticks;
}
