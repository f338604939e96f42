import type { FileBytes } from '../file-bytes.js';
import type { MediaReader } from '../media-reader.js';
import { audioFacts, secondsOf } from '../seconds.js';
import { damaged } from '../unreadable.js';
import { firstFrame, isFollowed, type SoundFrame, secondsOfFrames } from './frame-stream.js';
import { behindId3 } from './id3.js';

/** Kilobits a second by index, of MPEG-1 and of MPEG-2, layers 1 to 3 (ISO/IEC 11172-3 §2.4.2.3, 13818-3 §2.4.2.3). */
const KILOBITS = [
  [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ],
  [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
] as const;

const SAMPLES_PER_SECOND = [44_100, 48_000, 32_000] as const;
const ID3V1_BYTES = 128;

/** MP3, also layers 1 and 2: by the number of frames that the first one tells, or else by its frames. */
export const mp3: MediaReader = {
  kind: 'audio',
  matches: (file) => file.is(0, 'ID3') || (file.has(4) && isFollowed(file, 0, frameAt)),
  read: (file) => {
    const start = firstFrame(file, behindId3(file), frameAt);
    const frame = start === undefined ? undefined : frameAt(file, start);
    if (start === undefined || frame === undefined) throw damaged();
    const told = toldFrames(file, start);
    if (told !== undefined) return audioFacts('audio/mpeg', told * frame.samples, frame.samplesPerSecond);
    const { byteLength } = file;
    const tagged = byteLength - ID3V1_BYTES;
    const end = tagged > start && file.is(tagged, 'TAG') ? tagged : byteLength;
    const seconds = secondsOf(secondsOfFrames(file, start, end, frameAt), 1);
    return { kind: 'audio', seconds, mimeType: 'audio/mpeg' };
  },
};

function frameAt(file: FileBytes, at: number): SoundFrame | undefined {
  const header = file.has(at + 4) ? file.u32(at) : 0;
  if (header >>> 21 !== 0x7ff) return undefined;
  const version = (header >>> 19) & 3;
  const layer = 4 - ((header >>> 17) & 3);
  const rate = SAMPLES_PER_SECOND[(header >>> 10) & 3];
  const isFirst = version === 3;
  const kilobits = KILOBITS[isFirst ? 0 : 1][layer - 1]?.[((header >>> 12) & 15) - 1];
  if (version === 1 || layer === 4 || rate === undefined || kilobits === undefined) return undefined;
  const samplesPerSecond = rate / (isFirst ? 1 : version === 2 ? 2 : 4);
  const padding = (header >>> 9) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && !isFirst ? 576 : 1152;
  const bytes =
    layer === 1
      ? (Math.floor((12 * kilobits * 1000) / samplesPerSecond) + padding) * 4
      : Math.floor((samples * kilobits * 125) / samplesPerSecond) + padding;
  return { bytes, samples, samplesPerSecond };
}

const HAS_FRAMES = 1;
/** Behind header and side information, by version and number of channels. */
const XING_AT = { first: { stereo: 36, mono: 21 }, later: { stereo: 21, mono: 13 } } as const;
const VBRI_AT = 36;

/** How many frames the first one says that there are: of encoders that vary the rate, and of most others. */
function toldFrames(file: FileBytes, start: number): number | undefined {
  const isFirst = ((file.u8(start + 1) >>> 3) & 3) === 3;
  const isMono = file.u8(start + 3) >>> 6 === 3;
  const xing = start + XING_AT[isFirst ? 'first' : 'later'][isMono ? 'mono' : 'stereo'];
  if (file.is(xing, 'Xing') || file.is(xing, 'Info')) {
    const frames = (file.u32(xing + 4) & HAS_FRAMES) === 0 ? 0 : file.u32(xing + 8);
    return frames || undefined;
  }
  const vbri = start + VBRI_AT;
  return file.is(vbri, 'VBRI') ? file.u32(vbri + 14) || undefined : undefined;
}
