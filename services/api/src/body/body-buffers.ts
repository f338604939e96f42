import { allocateShared, type BodyMemory, type SharedBytes } from '@preflight/body';

/** Below this a fresh buffer costs next to nothing. */
const MIN_BYTES = 256 * 1024;
/** Sizes are rounded up, so that bodies of about one size share buffers. */
const ROUND_BYTES = 256 * 1024;

/**
 * Shared memory for bodies, used again. A fresh megabyte costs half a millisecond of page faults, more than to receive
 * or parse it. Whoever takes memory gives it back only when nobody can look at it any more, no thread either.
 */
export class BodyBuffers implements BodyMemory {
  /** Free buffers, the one given back last at the end. */
  readonly #free: SharedArrayBuffer[] = [];
  #freeBytes = 0;

  constructor(readonly limitBytes: number) {}

  /** At least so many bytes, with anything in them. */
  take(sizeBytes: number): SharedBytes {
    if (sizeBytes < MIN_BYTES) return allocateShared(sizeBytes);
    const fitting = this.#free.findIndex(
      ({ byteLength }) => byteLength >= sizeBytes && byteLength <= 2 * sizeBytes,
    );
    if (fitting < 0) return allocateShared(Math.ceil(sizeBytes / ROUND_BYTES) * ROUND_BYTES);
    const [buffer] = this.#free.splice(fitting, 1) as [SharedArrayBuffer];
    this.#freeBytes -= buffer.byteLength;
    return Buffer.from(buffer);
  }

  /** Keeps a buffer for others; the ones kept longest go when there are too many. */
  giveBack({ buffer }: SharedBytes): void {
    if (buffer.byteLength < MIN_BYTES || buffer.byteLength > this.limitBytes) return;
    this.#free.push(buffer);
    this.#freeBytes += buffer.byteLength;
    while (this.#freeBytes > this.limitBytes)
      this.#freeBytes -= (this.#free.shift() as SharedArrayBuffer).byteLength;
  }
}
