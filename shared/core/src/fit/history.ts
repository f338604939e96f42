import { historyTokens, type Ledger, messageTokens } from '../ledger.js';
import { type Change, KEPT } from './change.js';
import type { Cut } from './step.js';

/** A history while it is compressed: what is left of each message, and the running sum. The ledger stays as it is. */
export class History {
  /** Content that is left, per message; meaningless where dropped. */
  readonly contentTokens: Int32Array;
  /** Per message; shared values, because there may be 100,000. */
  readonly changes: Change[];
  readonly cuts: Cut[] = [];
  readonly droppedTurns: number[][] = [];
  /** The last user message, or -1. It and all that follows is never touched. */
  readonly lastUserIndex: number;
  #tokens: number;

  constructor(readonly ledger: Ledger) {
    this.contentTokens = ledger.contentTokens.slice();
    this.changes = new Array<Change>(ledger.isUser.length).fill(KEPT);
    this.lastUserIndex = ledger.isUser.lastIndexOf(1);
    this.#tokens = historyTokens(ledger);
  }

  /** Tokens that are left of the whole history. */
  get tokens(): number {
    return this.#tokens;
  }

  recordCut(cut: Cut, change: Change): void {
    this.#tokens += cut.contentTokens - (this.contentTokens[cut.index] ?? 0);
    this.contentTokens[cut.index] = cut.contentTokens;
    this.changes[cut.index] = change;
    this.cuts.push(cut);
  }

  /** Messages `start` to `end`, the latter not included. */
  recordDrop(start: number, end: number, change: Change): void {
    const turn: number[] = [];
    for (let index = start; index < end; index++) {
      this.#tokens -= messageTokens(this.ledger, index);
      turn.push(index);
    }
    this.changes.fill(change, start, end);
    this.droppedTurns.push(turn);
  }

  /** Tokens that are left of each message: 0 when dropped. */
  tokensAfter(): Int32Array {
    return this.contentTokens.map((contentTokens, index) =>
      this.changes[index]?.action === 'dropped'
        ? 0
        : messageTokens(this.ledger, index) - (this.ledger.contentTokens[index] ?? 0) + contentTokens,
    );
  }
}
