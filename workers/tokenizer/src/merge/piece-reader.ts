import type { Taken, TokenReader } from '../token-reader.js';
import type { PairRanks } from './pair-ranks.js';
import { WindowMerger } from './window-merger.js';

/** Large enough that few bytes are merged twice, small enough that the merge stays in the cache. */
const WINDOW_BYTES = 2048;

/** The end of a window is merged without what follows it; most tokens settle again within this distance. */
const UNSETTLED_BYTES = 64;

/**
 * Merges one piece of any length, in windows, so that memory stays small and time stays linear.
 *
 * Tokens of one window are joined to those of the next where the two tokens at the border are what their
 * joined bytes merge to: a sequence of tokens is the exact encoding if and only if that holds for every
 * two neighbours (the observation behind the `bpe` crate of github/rust-gems; it needs that every token
 * is reached by merging, which `buildPairRanks` asserts). Where it does not hold the window doubles.
 */
export class PieceReader implements TokenReader {
  private current: WindowMerger;
  private ahead: WindowMerger;
  private readonly border: WindowMerger;

  constructor(
    pairs: PairRanks,
    private readonly windowBytes = WINDOW_BYTES,
  ) {
    this.current = new WindowMerger(pairs);
    this.ahead = new WindowMerger(pairs);
    this.border = new WindowMerger(pairs);
  }

  /** Heap operations so far. */
  get steps(): number {
    return this.current.steps + this.ahead.steps + this.border.steps;
  }

  take(bytes: Uint8Array, start: number, end: number, maxTokens: number): Taken {
    let tokens = 0;
    let windowStart = start;
    let windowEnd = Math.min(start + this.windowBytes, end);
    this.current.merge(bytes, windowStart, windowEnd);
    while (windowEnd < end) {
      const settled = this.settledTokens(windowEnd - windowStart);
      const border = windowStart + this.endOf(settled);
      const aheadEnd = Math.min(border + this.windowBytes, end);
      if (settled > 0) this.ahead.merge(bytes, border, aheadEnd);
      if (settled === 0 || !this.isBorder(bytes, windowStart, settled)) {
        windowEnd = Math.min(windowStart + 2 * (windowEnd - windowStart), end);
        this.current.merge(bytes, windowStart, windowEnd);
        continue;
      }
      if (tokens + settled >= maxTokens) break;
      tokens += settled;
      windowStart = border;
      windowEnd = aheadEnd;
      [this.current, this.ahead] = [this.ahead, this.current];
    }
    const taken = Math.min(this.current.count, maxTokens - tokens);
    return { tokens: tokens + taken, end: windowStart + this.endOf(taken) };
  }

  /** How many tokens of the current window end well before the window does. */
  private settledTokens(windowBytes: number): number {
    const limit = windowBytes - Math.min(UNSETTLED_BYTES, windowBytes >> 1);
    let settled = this.current.count - 1;
    while (settled > 0 && this.endOf(settled) > limit) settled--;
    return settled;
  }

  /** Whether the last settled token of the current window and the first of the next are neighbours. */
  private isBorder(bytes: Uint8Array, windowStart: number, settled: number): boolean {
    const { current, ahead, border } = this;
    const left = windowStart + this.endOf(settled - 1);
    const middle = windowStart + this.endOf(settled);
    border.merge(bytes, left, middle + (ahead.ends[0] as number));
    return border.count === 2 && border.ids[0] === current.ids[settled - 1] && border.ids[1] === ahead.ids[0];
  }

  /** Bytes of the first `tokens` tokens of the current window. */
  private endOf(tokens: number): number {
    return tokens === 0 ? 0 : (this.current.ends[tokens - 1] as number);
  }
}
