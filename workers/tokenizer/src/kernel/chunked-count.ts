import type { KernelReader } from './kernel-reader.js';

const FIRST_ATTEMPT_BYTES = 256 * 1024;

/**
 * Counts well-formed UTF-8 that arrives in chunks, cut anywhere. Holds what later text could change: a few
 * bytes, or an unbroken piece (a run of letters) as far as it came.
 */
export class ChunkedCount {
  private chunks: Uint8Array[] = [];
  private heldBytes = 0;
  /** Tried again when this much is held: twice what was left, so that a growing piece is scanned linearly. */
  private attemptBytes: number;
  private tokens = 0;

  constructor(
    private readonly reader: KernelReader,
    private readonly firstAttemptBytes = FIRST_ATTEMPT_BYTES,
  ) {
    this.attemptBytes = firstAttemptBytes;
  }

  /** Takes the next bytes; they are copied. */
  push(chunk: Uint8Array): void {
    this.chunks.push(chunk.slice());
    this.heldBytes += chunk.length;
    if (this.heldBytes < this.attemptBytes) return;
    const bytes = Buffer.concat(this.chunks);
    const taken = this.reader.take(bytes, 0, bytes.length, Number.POSITIVE_INFINITY, { isOpen: true });
    this.tokens += taken.tokens;
    this.heldBytes = bytes.length - taken.end;
    this.chunks = [bytes.subarray(taken.end)];
    this.attemptBytes = Math.max(this.firstAttemptBytes, 2 * this.heldBytes);
  }

  /** The number of tokens of all that was pushed. */
  finish(): number {
    const bytes = Buffer.concat(this.chunks);
    return this.tokens + this.reader.take(bytes, 0, bytes.length, Number.POSITIVE_INFINITY).tokens;
  }
}
