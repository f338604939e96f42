import { historyTokens, type Ledger } from '../ledger.js';
import { type Change, KEPT } from './change.js';
import type { AttachmentNote } from './decision.js';
import type { Cut } from './step.js';

/** A history while it is compressed: what is left of each message, and the running sum. The ledger stays as it is. */
export class History {
  /** Content that is left, per message; meaningless where dropped. */
  readonly contentTokens: Int32Array;
  /** The same of attachments. */
  readonly attachmentTokens: Int32Array;
  /** The same of what is neither, notes about attachments included. */
  readonly otherTokens: Int32Array;
  /** Per message; shared values, because there may be 100,000. */
  readonly changes: Change[];
  readonly drops: number[][] = [];
  /** The first turn that may be dropped begins here, or -1. */
  readonly firstTurnIndex: number;
  /** The last user message, or -1. It and all that follows is never touched. */
  readonly lastUserIndex: number;
  #tokens: number;
  readonly #pins: ReadonlySet<number>;
  #changeCount = 0;
  /** From here on, what is bound to its prefix is gone. */
  #looseFrom: number;
  /** The last cut of each message. */
  readonly #cuts: (Cut | undefined)[];
  /** Notes in the place of attachments, by message. */
  readonly #attachmentNotes: Cut[] = [];

  constructor(
    readonly ledger: Ledger,
    readonly budgetTokens: number,
    pins: readonly number[] = [],
  ) {
    this.#pins = new Set(pins);
    this.contentTokens = ledger.contentTokens.slice();
    this.attachmentTokens = ledger.attachmentTokens.slice();
    this.otherTokens = ledger.otherTokens.slice();
    this.#looseFrom = ledger.isUser.length;
    this.changes = new Array<Change>(ledger.isUser.length).fill(KEPT);
    this.#cuts = new Array<Cut | undefined>(ledger.isUser.length);
    this.firstTurnIndex = ledger.isUser.indexOf(1, ledger.protectedCount);
    this.lastUserIndex = ledger.isUser.lastIndexOf(1);
    this.#tokens = historyTokens(ledger);
  }

  /** Tokens that are left of the whole history. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Tokens that it has above its budget; zero or less if it is within. */
  get excessTokens(): number {
    return this.#tokens - this.budgetTokens;
  }

  get isOverBudget(): boolean {
    return this.excessTokens > 0;
  }

  /** Grows with every change. */
  get changeCount(): number {
    return this.#changeCount;
  }

  isDropped(index: number): boolean {
    return this.changes[index]?.action === 'dropped';
  }

  /** Whether nothing may be done to a message. */
  isPinned(index: number): boolean {
    return this.#pins.has(index);
  }

  /** Whether nothing may be done to one of the messages `start` to `end`, the latter not included. */
  holdsPin(start: number, end: number): boolean {
    if (this.#pins.size === 0) return false;
    for (let index = start; index < end; index++) if (this.#pins.has(index)) return true;
    return false;
  }

  /** The last cut of each message that is left, in input order. */
  cuts(): Cut[] {
    return this.#cuts.filter((cut) => cut !== undefined && !this.isDropped(cut.index)) as Cut[];
  }

  /** A message may be cut again, to less of what it was. */
  recordCut(cut: Cut, change: Change): void {
    this.#tokens += cut.contentTokens - (this.contentTokens[cut.index] ?? 0);
    this.contentTokens[cut.index] = cut.contentTokens;
    this.changes[cut.index] = change;
    this.#cuts[cut.index] = cut;
    this.#changed(cut.index);
  }

  /** A note in the place of all attachments of a message. */
  recordAttachmentNote(note: Cut, change: Change): void {
    const { index, contentTokens: noteTokens } = note;
    this.#tokens += noteTokens - (this.attachmentTokens[index] ?? 0);
    this.attachmentTokens[index] = 0;
    this.otherTokens[index] = (this.otherTokens[index] ?? 0) + noteTokens;
    this.changes[index] = change;
    this.#attachmentNotes.push(note);
    this.#changed(index);
  }

  /** Messages that are left and have a note in the place of their attachments, in input order. */
  attachmentNotes(): AttachmentNote[] {
    return this.#attachmentNotes
      .filter(({ index }) => !this.isDropped(index))
      .map(({ index, elidedAttachmentTokens = 0 }) => ({ index, elidedTokens: elidedAttachmentTokens }));
  }

  /** Those of the messages `start` to `end`, the latter not included, that are still there. */
  recordDrop(start: number, end: number, change: Change): void {
    const dropped: number[] = [];
    for (let index = start; index < end; index++) {
      if (this.isDropped(index)) continue;
      this.#tokens -= this.tokensOf(index);
      this.changes[index] = change;
      dropped.push(index);
    }
    const [first] = dropped;
    if (first === undefined) return;
    this.drops.push(dropped);
    this.#changed(first);
  }

  /** Tokens that are left of each message: 0 when dropped. */
  tokensAfter(): Int32Array {
    return this.contentTokens.map((_, index) => (this.isDropped(index) ? 0 : this.tokensOf(index)));
  }

  /** Tokens that are left of a message that was not dropped. */
  tokensOf(index: number): number {
    const { contentTokens, attachmentTokens, otherTokens } = this;
    return (contentTokens[index] ?? 0) + (attachmentTokens[index] ?? 0) + (otherTokens[index] ?? 0);
  }

  /** Those that it has once something before it has changed. */
  looseTokensOf(index: number): number {
    return this.tokensOf(index) - (index < this.#looseFrom ? (this.ledger.boundTokens[index] ?? 0) : 0);
  }

  /** A change at a message unbinds what is left from there on; each message is looked at once in all changes. */
  #changed(start: number): void {
    this.#changeCount += 1;
    for (let index = start; index < this.#looseFrom; index++) {
      const boundTokens = this.isDropped(index) ? 0 : (this.ledger.boundTokens[index] ?? 0);
      this.otherTokens[index] = (this.otherTokens[index] ?? 0) - boundTokens;
      this.#tokens -= boundTokens;
    }
    this.#looseFrom = Math.min(this.#looseFrom, start);
  }
}
