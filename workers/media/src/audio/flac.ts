import type { MediaReader } from '../media-reader.js';
import { audioFacts } from '../seconds.js';

const STREAM_INFO_AT = 8;

/** FLAC: the first block has rate and samples (RFC 9639 §8.2). A stream that was written without knowing its end has none. */
export const flac: MediaReader = {
  kind: 'audio',
  matches: (file) => file.is(0, 'fLaC'),
  read: (file) => {
    // 20 bits of rate, 3 of channels, 5 of sample size, 36 of samples.
    const samplesPerSecond = Math.floor(file.u24(STREAM_INFO_AT + 10) / 16);
    const samples = (file.u8(STREAM_INFO_AT + 13) % 16) * 2 ** 32 + file.u32(STREAM_INFO_AT + 14);
    return audioFacts('audio/flac', samples, samplesPerSecond);
  },
};
