import type { FileBytes } from '../file-bytes.js';

/** A chunk of a RIFF or IFF file: its content lies from `start` to `end`. */
export interface Chunk {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

const HEADER_BYTES = 8;

/** The chunks from `start` on, as far as the file goes, or up to `end`. RIFF has the lower byte of numbers first, IFF has not. */
export function* chunksIn(
  file: FileBytes,
  { start, end = Number.POSITIVE_INFINITY }: { readonly start: number; readonly end?: number },
  order: 'riff' | 'iff' = 'riff',
): Generator<Chunk> {
  for (let at = start; at + HEADER_BYTES <= end && file.has(at + HEADER_BYTES); ) {
    const length = order === 'riff' ? file.u32le(at + 4) : file.u32(at + 4);
    const chunkEnd = at + HEADER_BYTES + length;
    yield { id: file.ascii(at, 4), start: at + HEADER_BYTES, end: chunkEnd };
    at = chunkEnd + (length % 2);
  }
}
