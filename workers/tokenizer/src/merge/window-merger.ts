import { MinimumHeap } from './minimum-heap.js';
import { NO_RANK, type PairRanks } from './pair-ranks.js';

/**
 * Byte pair merging of one window of bytes, exactly as tiktoken merges: always the pair of lowest rank,
 * among equals the leftmost. n log n by a heap with lazy deletion; about 40 bytes of memory a byte.
 */
export class WindowMerger {
  /** Tokens of the last merge. */
  count = 0;
  /** Their ids and ends, the ends relative to the start of the window. Valid up to `count`. */
  ids = new Int32Array(0);
  ends = new Int32Array(0);
  /** Heap operations so far: the work, for tests that time must not decide. */
  steps = 0;

  private previous = new Int32Array(0);
  private next = new Int32Array(0);
  /** The rank of the pair that starts at a part, `NO_RANK` for a part that was swallowed or joins nothing. */
  private pairRank = new Int32Array(0);
  private readonly heap = new MinimumHeap();

  constructor(private readonly pairs: PairRanks) {}

  merge(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.reserve(length);
    this.fillParts(bytes, start, length);
    const { pairRank, heap } = this;
    for (let part = 0; part < length; part++) this.rankPair(part, length);
    while (heap.size > 0) {
      this.steps++;
      heap.pop();
      if (pairRank[heap.position] === heap.rank) this.join(heap.position, heap.rank, length);
    }
    this.collect(length);
  }

  private fillParts(bytes: Uint8Array, start: number, length: number): void {
    const { ids, previous, next } = this;
    const { byteIds } = this.pairs;
    for (let part = 0; part < length; part++) {
      ids[part] = byteIds[bytes[start + part] as number] as number;
      previous[part] = part - 1;
      next[part] = part + 1;
    }
  }

  private join(part: number, rank: number, length: number): void {
    const { ids, previous, next, pairRank } = this;
    const swallowed = next[part] as number;
    const after = next[swallowed] as number;
    ids[part] = rank;
    next[part] = after;
    pairRank[swallowed] = NO_RANK;
    if (after < length) previous[after] = part;
    this.rankPair(part, length);
    const before = previous[part] as number;
    if (before >= 0) this.rankPair(before, length);
  }

  private rankPair(part: number, length: number): void {
    const right = this.next[part] as number;
    const rank =
      right < length ? this.pairs.rankOf(this.ids[part] as number, this.ids[right] as number) : NO_RANK;
    this.pairRank[part] = rank;
    if (rank !== NO_RANK) this.heap.push(rank, part);
  }

  /** Packs the parts that are left to the front; a part never moves to a place not yet read. */
  private collect(length: number): void {
    const { ids, next, ends } = this;
    let count = 0;
    for (let part = 0; part < length; count++) {
      const after = next[part] as number;
      ids[count] = ids[part] as number;
      ends[count] = after;
      part = after;
    }
    this.count = count;
  }

  private reserve(length: number): void {
    if (this.ids.length >= length) return;
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(length, 64)));
    this.ids = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
    this.previous = new Int32Array(capacity);
    this.next = new Int32Array(capacity);
    this.pairRank = new Int32Array(capacity);
    this.heap.reserve(3 * capacity);
  }
}
