import { KeyHeap } from './heap.mjs';

/** Above every position in a piece. */
const POSITIONS = 2 ** 24;

/**
 * Byte pair encoding as it is defined, without tricks: while there are neighbours whose joined bytes are a token,
 * join the leftmost of those with the lowest rank. A heap finds them, so that long pieces can be encoded.
 */
export class Merge {
  #ranks;
  #longestToken = 0;

  /** @param {Map<string, number>} ranks by the bytes of the token, one character a byte */
  constructor(ranks) {
    this.#ranks = ranks;
    for (const token of ranks.keys()) this.#longestToken = Math.max(this.#longestToken, token.length);
  }

  /**
   * Where the tokens of a piece end.
   * @param {string} piece one character a byte
   * @returns {number[]}
   */
  ends(piece) {
    if (this.#ranks.has(piece)) return [piece.length];
    const { length } = piece;
    // A token is known by where it starts; these tell the starts of its neighbours.
    const next = Uint32Array.from({ length: length + 1 }, (_, at) => at + 1);
    const previous = Int32Array.from({ length: length + 1 }, (_, at) => at - 1);
    const isStart = new Uint8Array(length).fill(1);
    const rankAt = (at) => {
      const end = next[at] < length ? next[next[at]] : length + 1;
      return end <= length && end - at <= this.#longestToken
        ? this.#ranks.get(piece.slice(at, end))
        : undefined;
    };
    const heap = new KeyHeap();
    const offer = (at) => {
      const rank = rankAt(at);
      if (rank !== undefined) heap.push(rank * POSITIONS + at);
    };
    for (let at = 0; at < length; at++) offer(at);
    while (heap.size > 0) {
      const key = heap.pop();
      const at = key % POSITIONS;
      // Its neighbours may have been joined to others since.
      if (isStart[at] === 0 || rankAt(at) !== Math.floor(key / POSITIONS)) continue;
      const joined = next[at];
      isStart[joined] = 0;
      next[at] = next[joined];
      previous[next[at]] = at;
      offer(at);
      if (previous[at] >= 0) offer(previous[at]);
    }
    const ends = [];
    for (let at = 0; at < length; at = next[at]) ends.push(next[at]);
    return ends;
  }
}
