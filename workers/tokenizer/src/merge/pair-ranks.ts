/** Ids and ranks of all shipped encodings stay below 2^18. */
const ID_BITS = 18;
const LOW_BITS = 14;
const LOW_MASK = (1 << LOW_BITS) - 1;
const ID_MASK = (1 << ID_BITS) - 1;
const EMPTY = -1;

/** No token has these bytes. */
export const NO_RANK = -1;

/**
 * The ranks of a vocabulary as pairs: which two neighbouring tokens join, and to which rank. Since every
 * token is reached by merging, the rank of joined bytes equals the rank of the pair, and neither byte
 * strings nor a map of strings are needed (specs/counter-kernel.md §2).
 *
 * Open addressing over two 32-bit words a slot: left (18 bits) and the low 14 bits of right; the high 4
 * bits of right and the rank. 4 MB for o200k_base.
 */
export class PairRanks {
  /** The id of each single byte. */
  readonly byteIds = new Int32Array(256);
  private readonly slots: Int32Array;
  private readonly shift: number;

  constructor(tokenCount: number) {
    const slotBits = Math.ceil(Math.log2(tokenCount * 2));
    this.slots = new Int32Array(2 << slotBits).fill(EMPTY);
    this.shift = 32 - slotBits;
  }

  /** The rank of the token that `left` and `right` join to, or `NO_RANK`. */
  rankOf(left: number, right: number): number {
    const { slots } = this;
    const first = left | ((right & LOW_MASK) << ID_BITS);
    const high = right >>> LOW_BITS;
    for (let slot = this.slotOf(first, high); ; slot = (slot + 2) & (slots.length - 1)) {
      const found = slots[slot] as number;
      if (found === EMPTY) return NO_RANK;
      if (found !== first) continue;
      const second = slots[slot + 1] as number;
      if (second >>> ID_BITS === high) return second & ID_MASK;
    }
  }

  add(left: number, right: number, rank: number): void {
    const { slots } = this;
    const first = left | ((right & LOW_MASK) << ID_BITS);
    const high = right >>> LOW_BITS;
    let slot = this.slotOf(first, high);
    while (slots[slot] !== EMPTY) slot = (slot + 2) & (slots.length - 1);
    slots[slot] = first;
    slots[slot + 1] = (high << ID_BITS) | rank;
  }

  private slotOf(first: number, high: number): number {
    return (Math.imul(first ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b) >>> this.shift) << 1;
  }
}
