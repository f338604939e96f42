import { chunksIn } from '../containers/riff-chunks.js';
import type { MediaReader } from '../media-reader.js';
import { audioFacts } from '../seconds.js';
import { damaged } from '../unreadable.js';

const CHUNKS_AT = 12;
const PLAIN_SAMPLES: ReadonlySet<number> = new Set([1, 3, 0xfffe]);
/** What stands for a length that is written elsewhere, or was not known when the header was written. */
const UNKNOWN_BYTES = 0xffff_ffff;

/** WAV, and RF64 for files beyond 4 GiB (Microsoft's RIFF; EBU Tech 3306). */
export const wav: MediaReader = {
  kind: 'audio',
  matches: (file) => (file.is(0, 'RIFF') || file.is(0, 'RF64')) && file.is(8, 'WAVE'),
  read: (file) => {
    let format: { isPlain: boolean; samplesPerSecond: number; bytesPerSecond: number } | undefined;
    let samples: number | undefined;
    let longDataBytes: number | undefined;
    for (const { id, start, end } of chunksIn(file, { start: CHUNKS_AT })) {
      if (id === 'ds64') longDataBytes = file.u64le(start + 8);
      else if (id === 'fact') samples = file.u32le(start);
      else if (id === 'fmt ') {
        const isPlain = PLAIN_SAMPLES.has(file.u16le(start));
        format = { isPlain, samplesPerSecond: file.u32le(start + 4), bytesPerSecond: file.u32le(start + 8) };
      } else if (id === 'data') {
        if (format === undefined) break;
        // Only compressed sound is not told by its bytes.
        if (samples !== undefined && !format.isPlain)
          return audioFacts('audio/wav', samples, format.samplesPerSecond);
        const claimed = end - start === UNKNOWN_BYTES ? (longDataBytes ?? UNKNOWN_BYTES) : end - start;
        const bytes = Math.min(claimed === 0 ? UNKNOWN_BYTES : claimed, file.byteLength - start);
        return audioFacts('audio/wav', bytes, format.bytesPerSecond);
      }
    }
    throw damaged();
  },
};
