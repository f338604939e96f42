import type { SharedBytes } from '@preflight/body';
import type { BodyBuffers } from '../body-buffers.js';

/** A line of NDJSON, and where it stands. */
export interface Line {
  /** From 1; blank lines count, and are left out. */
  readonly number: number;
  /** Of its first byte, in the whole. */
  readonly offsetBytes: number;
  readonly sizeBytes: number;
  /** Undefined if it is too long; then it was thrown away as it came. */
  readonly bytes: SharedBytes | undefined;
}

const NEWLINE = 0x0a;

/**
 * The lines of a stream that may never end, one at a time, each in memory that may be given back to `memory`. Holds one
 * line at most, and reads on only when the next is asked for. A last line needs no line break.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  { limitBytes, memory }: { readonly limitBytes: number; readonly memory: BodyBuffers },
): AsyncGenerator<Line> {
  const line = new OpenLine(limitBytes, memory);
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      line.add(chunk.subarray(from, end));
      if (!line.isBlank) yield line.whole();
      line.next();
      from = end + 1;
    }
    line.add(chunk.subarray(from));
  }
  if (!line.isBlank) yield line.whole();
}

/** The line that is coming. */
class OpenLine {
  #number = 1;
  #offsetBytes = 0;
  #sizeBytes = 0;
  #isBlank = true;
  #parts: Uint8Array[] = [];

  constructor(
    private readonly limitBytes: number,
    private readonly memory: BodyBuffers,
  ) {}

  get isBlank(): boolean {
    return this.#isBlank;
  }

  add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#sizeBytes += part.length;
    this.#isBlank &&= part.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
    if (this.#sizeBytes > this.limitBytes) this.#parts = [];
    else this.#parts.push(part);
  }

  whole(): Line {
    const isTooLong = this.#sizeBytes > this.limitBytes;
    return {
      number: this.#number,
      offsetBytes: this.#offsetBytes,
      sizeBytes: this.#sizeBytes,
      bytes: isTooLong ? undefined : this.#joined(),
    };
  }

  #joined(): SharedBytes {
    const bytes = this.memory.take(this.#sizeBytes).subarray(0, this.#sizeBytes);
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  next(): void {
    this.#offsetBytes += this.#sizeBytes + 1;
    this.#number += 1;
    this.#sizeBytes = 0;
    this.#isBlank = true;
    this.#parts = [];
  }
}
