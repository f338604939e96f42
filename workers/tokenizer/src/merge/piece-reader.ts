import { step } from '../steps.js';
import type { Taken, TokenReader } from '../token-reader.js';
import type { PairRanks } from './pair-ranks.js';
import { WindowMerger } from './window-merger.js';

/** Small enough that the merge stays in the processor's cache. */
const WINDOW_BYTES = 2048;

/**
 * The end of a window is merged without what follows it; this share of it is merged again in the next
 * window.
 */
const UNSETTLED_SHARE = 1 / 8;

/**
 * Merges one piece of any length, in windows, so that memory stays small and time stays linear.
 *
 * Tokens of one window are joined to those of the next where the two tokens at the border are what their
 * joined bytes merge to: a sequence of tokens is the exact encoding if and only if that holds for every
 * two neighbours (the observation behind the `bpe` crate of github/rust-gems; it needs that every token
 * is reached by merging, which `buildPairRanks` asserts). If a border does not hold, the piece is read again
 * with windows of twice the size. That is rare: merges seldom depend on what is hundreds of bytes away.
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

  /** The ids of all tokens of the piece, put behind those in `ids`. */
  encode(bytes: Uint8Array, start: number, end: number, ids: number[]): void {
    const before = ids.length;
    for (let windowBytes = this.windowBytes; ; windowBytes *= 2) {
      ids.length = before;
      const piece = { bytes, start, end, windowBytes };
      if (this.takeInWindows(piece, Number.POSITIVE_INFINITY, ids) !== undefined) return;
    }
  }

  take(bytes: Uint8Array, start: number, end: number, maxTokens: number): Taken {
    for (let windowBytes = this.windowBytes; ; windowBytes *= 2) {
      const taken = this.takeInWindows({ bytes, start, end, windowBytes }, maxTokens);
      if (taken !== undefined) return taken;
    }
  }

  /**
   * Undefined if a border does not hold; never when the piece fits one window. Reads the whole piece even if
   * few tokens are wanted: what the first tokens are is settled only when the last border holds. Until then, so are
   * the ids that it puts behind those in `ids`.
   */
  private takeInWindows(piece: WindowedPiece, maxTokens: number, ids?: number[]): Taken | undefined {
    const { bytes, end, windowBytes } = piece;
    let tokens = 0;
    let wantedEnd: number | undefined;
    let windowStart = piece.start;
    this.current.merge(bytes, windowStart, Math.min(windowStart + windowBytes, end));
    while (windowStart + windowBytes < end) {
      const settled = this.settledTokens(windowBytes * (1 - UNSETTLED_SHARE));
      if (settled === 0) return undefined;
      const border = windowStart + this.endOf(settled);
      this.ahead.merge(bytes, border, Math.min(border + windowBytes, end));
      if (!this.holdsAt(bytes, windowStart, settled)) return undefined;
      if (tokens + settled >= maxTokens) wantedEnd ??= windowStart + this.endOf(maxTokens - tokens);
      tokens += settled;
      if (ids !== undefined) this.putIds(ids, settled);
      windowStart = border;
      [this.current, this.ahead] = [this.ahead, this.current];
    }
    if (ids !== undefined) this.putIds(ids, this.current.count);
    const total = tokens + this.current.count;
    if (total <= maxTokens) return { tokens: total, end };
    return { tokens: maxTokens, end: wantedEnd ?? windowStart + this.endOf(maxTokens - tokens) };
  }

  /** How many tokens of the current window end within its first `settledBytes`. */
  private settledTokens(settledBytes: number): number {
    let settled = this.current.count - 1;
    while (settled > 0 && this.endOf(settled) > settledBytes) settled--;
    return settled;
  }

  /**
   * Whether the last settled token of the current window and the first one ahead are what their bytes merge
   * to.
   */
  private holdsAt(bytes: Uint8Array, windowStart: number, settled: number): boolean {
    const { current, ahead, border } = this;
    const left = windowStart + this.endOf(settled - 1);
    const right = windowStart + this.endOf(settled) + (ahead.ends[0] as number);
    border.merge(bytes, left, right);
    return border.count === 2 && border.ids[0] === current.ids[settled - 1] && border.ids[1] === ahead.ids[0];
  }

  /** The first ids of the current window; a step, since windows of a long piece take time. */
  private putIds(ids: number[], count: number): void {
    for (let i = 0; i < count; i++) ids.push(this.current.ids[i] as number);
    step();
  }

  /** Bytes of the first `tokens` tokens of the current window. */
  private endOf(tokens: number): number {
    return tokens === 0 ? 0 : (this.current.ends[tokens - 1] as number);
  }
}

interface WindowedPiece {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly windowBytes: number;
}
