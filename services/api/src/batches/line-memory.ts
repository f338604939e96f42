import { allocateShared, type BodyMemory, type SharedBytes } from '@preflight/body';

/** Free bytes of the block. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Memory of the lines of one batch: stretches of one block, used again and again. The garbage collector does not see how
 * large shared memory is, so that a buffer for each line would be there until it comes for another reason. What finds
 * no place in the block gets a buffer of its own.
 */
export class LineMemory implements BodyMemory {
  readonly #block: SharedBytes;
  /** In the order of the block; no two touch. */
  #free: Stretch[];

  /** Of the block, the system hands out what is written to. */
  constructor(sizeBytes: number) {
    this.#block = allocateShared(sizeBytes);
    this.#free = [{ start: 0, end: sizeBytes }];
  }

  /** All of it was given back. */
  get isWhole(): boolean {
    const [first] = this.#free;
    return first !== undefined && first.end - first.start === this.#block.length;
  }

  /** Just so many bytes, as near to the start of the block as they fit, with anything in them. */
  take(sizeBytes: number): SharedBytes {
    const index = this.#free.findIndex(({ start, end }) => end - start >= sizeBytes);
    if (index < 0) return allocateShared(sizeBytes);
    const { start, end } = this.#free[index] as Stretch;
    const taken = start + sizeBytes;
    this.#free.splice(index, 1, ...(taken < end ? [{ start: taken, end }] : []));
    return this.#block.subarray(start, taken);
  }

  /** All of what was taken, or its end, which nobody looks at any more. */
  giveBack({ buffer, byteOffset: start, byteLength }: SharedBytes): void {
    if (buffer !== this.#block.buffer || byteLength === 0) return;
    const before = this.#free.filter((stretch) => stretch.end <= start);
    const behind = this.#free.slice(before.length);
    const joined = {
      start: before.at(-1)?.end === start ? (before.pop() as Stretch).start : start,
      end: behind[0]?.start === start + byteLength ? (behind.shift() as Stretch).end : start + byteLength,
    };
    this.#free = [...before, joined, ...behind];
  }
}

/** Room for the lines under way of one batch, and for one that comes and is copied as it grows. */
const BLOCK_BYTES = 48 * 1024 * 1024;

const SPARE_BLOCKS = 2;

/** Memory for batches. What one leaves is for the next, unless something may still look at a line of it. */
export class BatchMemory {
  readonly #spare: LineMemory[] = [];

  take(): LineMemory {
    return this.#spare.pop() ?? new LineMemory(BLOCK_BYTES);
  }

  giveBack(memory: LineMemory): void {
    if (memory.isWhole && this.#spare.length < SPARE_BLOCKS) this.#spare.push(memory);
  }
}
