import type { FileBytes } from '../file-bytes.js';
import type { MediaReader } from '../media-reader.js';
import { isFollowed, type SoundFrame, secondsOfFrames } from './frame-stream.js';
import { behindId3 } from './id3.js';

const SAMPLES_PER_SECOND = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
] as const;
const BLOCK_SAMPLES = 1024;

/** AAC in frames of its own (ADTS, ISO/IEC 13818-7 §6.2). */
export const aac: MediaReader = {
  kind: 'audio',
  matches: (file) => isFollowed(file, behindId3(file), frameAt),
  read: (file) => {
    const seconds = secondsOfFrames(file, behindId3(file), file.byteLength, frameAt);
    return { kind: 'audio', seconds, mimeType: 'audio/aac' };
  },
};

function frameAt(file: FileBytes, at: number): SoundFrame | undefined {
  if (!file.has(at + 7) || (file.u16(at) & 0xfff6) !== 0xfff0) return undefined;
  const samplesPerSecond = SAMPLES_PER_SECOND[(file.u8(at + 2) >>> 2) & 15];
  const bytes = (file.u24(at + 3) >>> 5) & 0x1fff;
  if (samplesPerSecond === undefined || bytes < 7) return undefined;
  return { bytes, samples: ((file.u8(at + 6) & 3) + 1) * BLOCK_SAMPLES, samplesPerSecond };
}
