import { allocateShared, type BodyMemory, type SharedBytes } from '@preflight/body';

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

const FIRST_GUESS_BYTES = 64 * 1024;

const NO_BYTES = allocateShared(0);

/**
 * The lines of a stream that may never end, one at a time, each in memory that may be given back to `memory`. Holds one
 * line at most, and reads on only when the next is asked for. A last line needs no line break.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  { limitBytes, memory }: { readonly limitBytes: number; readonly memory: BodyMemory },
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
  /** What has come of the line, and room for more: no chunk is kept, of which the next may be far away. */
  #bytes = NO_BYTES;

  constructor(
    private readonly limitBytes: number,
    private readonly memory: BodyMemory,
  ) {}

  get isBlank(): boolean {
    return this.#isBlank;
  }

  add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#sizeBytes += part.length;
    this.#isBlank &&= part.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
    if (this.#sizeBytes > this.limitBytes) this.#letGo();
    else this.#write(part);
  }

  whole(): Line {
    const isTooLong = this.#sizeBytes > this.limitBytes;
    return {
      number: this.#number,
      offsetBytes: this.#offsetBytes,
      sizeBytes: this.#sizeBytes,
      bytes: isTooLong ? undefined : this.#handOver(),
    };
  }

  next(): void {
    this.#offsetBytes += this.#sizeBytes + 1;
    this.#number += 1;
    this.#sizeBytes = 0;
    this.#isBlank = true;
    this.#letGo();
  }

  #write(part: Uint8Array): void {
    const writtenBytes = this.#sizeBytes - part.length;
    if (this.#sizeBytes > this.#bytes.length) {
      const guessBytes = Math.min(Math.max(FIRST_GUESS_BYTES, 2 * this.#bytes.length), this.limitBytes);
      const larger = this.memory.take(Math.max(this.#sizeBytes, guessBytes));
      larger.set(this.#bytes.subarray(0, writtenBytes));
      this.#letGo();
      this.#bytes = larger;
    }
    this.#bytes.set(part, writtenBytes);
  }

  #handOver(): SharedBytes {
    const bytes = this.#bytes;
    this.memory.giveBack(bytes.subarray(this.#sizeBytes));
    this.#bytes = NO_BYTES;
    return bytes.subarray(0, this.#sizeBytes);
  }

  #letGo(): void {
    this.memory.giveBack(this.#bytes);
    this.#bytes = NO_BYTES;
  }
}
