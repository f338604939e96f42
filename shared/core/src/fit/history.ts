import { type Copy, copiesIn } from '../copies.js';
import type { Ledger } from '../ledger.js';
import { Amounts } from './amounts.js';
import { type Change, KEPT } from './change.js';
import type { AttachmentNote } from './decision.js';
import { attachmentNote, NOTE_CEILING_BYTES, NOTE_PART_CEILING_BYTES } from './elision-note.js';
import { IdleThinking } from './idle-thinking.js';
import type { Cut } from './step.js';

/** The most that a history may have. */
export interface Budgets {
  readonly tokens: number;
  /** Of the request, if its ledger has them. */
  readonly bytes?: number | undefined;
}

/** A history while it is compressed: what is left of each message, and the running sums. The ledger stays as it is. */
export class History {
  readonly tokenAmounts: Amounts;
  /** Undefined without a budget of bytes. */
  readonly byteAmounts: Amounts | undefined;
  /** Per message; shared values, because there may be 100,000. */
  readonly changes: Change[];
  readonly drops: number[][] = [];
  /** The first turn that may be dropped begins here, or -1. */
  readonly firstTurnIndex: number;
  /** The last user message, or -1. It and all that follows is never touched. */
  readonly lastUserIndex: number;
  readonly #pins: ReadonlySet<number>;
  #changeCount = 0;
  #hasChangedBytesOfRequest = false;
  /** The last cut of each message. */
  readonly #cuts: (Cut | undefined)[];
  /** Notes in the place of all attachments that had none, by message. */
  readonly #attachmentNotes = new Map<number, Cut>();
  /** Notes in the place of single ones. */
  readonly #copyNotes = new Map<Copy, CopyNote>();
  /** Attachments that stand more than once, in input order. */
  readonly copies: readonly Copy[];
  readonly #idleThinking: IdleThinking;

  constructor(
    readonly ledger: Ledger,
    budgets: Budgets,
    pins: readonly number[] = [],
  ) {
    this.#pins = new Set(pins);
    this.#idleThinking = new IdleThinking(ledger);
    this.tokenAmounts = new Amounts(tokensIn(ledger), budgets.tokens);
    const { bytes } = ledger;
    if (budgets.bytes !== undefined) {
      if (bytes === undefined) throw new Error('a budget of bytes needs a ledger with bytes');
      this.byteAmounts = new Amounts({ ...bytes, overhead: bytes.requestOverhead }, budgets.bytes);
    }
    this.changes = new Array<Change>(ledger.isUser.length).fill(KEPT);
    this.#cuts = new Array<Cut | undefined>(ledger.isUser.length);
    this.copies = copiesIn(ledger);
    this.firstTurnIndex = ledger.isUser.indexOf(1, ledger.protectedCount);
    this.lastUserIndex = ledger.isUser.lastIndexOf(1);
  }

  /** Content that is left, per message; meaningless where dropped. */
  get contentTokens(): Readonly<Int32Array> {
    return this.tokenAmounts.content as Int32Array;
  }

  /** The same of attachments. */
  get attachmentTokens(): Readonly<Int32Array> {
    return this.tokenAmounts.attachments as Int32Array;
  }

  /** The same of what is neither, notes about attachments included. */
  get otherTokens(): Readonly<Int32Array> {
    return this.tokenAmounts.other as Int32Array;
  }

  /** Tokens that are left of the whole history. */
  get tokens(): number {
    return this.tokenAmounts.total;
  }

  /** Tokens, and bytes if they have a budget. */
  get amounts(): readonly Amounts[] {
    return this.byteAmounts === undefined ? [this.tokenAmounts] : [this.tokenAmounts, this.byteAmounts];
  }

  get isOverBudget(): boolean {
    return this.tokenAmounts.excess > 0 || this.isOverBytes;
  }

  get isOverBytes(): boolean {
    return this.byteAmounts !== undefined && this.byteAmounts.excess > 0;
  }

  /** Grows with every change. */
  get changeCount(): number {
    return this.#changeCount;
  }

  /** Whether bytes are missing, and a note in the place of a message's attachments has fewer. */
  noteSavesBytes(index: number): boolean {
    return this.isOverBytes && (this.byteAmounts?.attachments[index] ?? 0) > NOTE_CEILING_BYTES;
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
    const { index, textIndex, contentTokens, contentBytes = 0 } = cut;
    this.tokenAmounts.replaceContent(index, contentTokens);
    // Where a cut keeps whole texts, what stands around those behind it counts as if it stayed.
    const frames = textIndex === 0 ? 0 : (this.ledger.bytes?.frames[index] ?? 0);
    this.byteAmounts?.replaceContent(index, contentBytes + frames);
    this.changes[index] = change;
    this.#cuts[index] = cut;
    this.#changed(index);
  }

  /** A note in the place of all attachments of a message that have none. */
  recordAttachmentNote(note: Cut, change: Change): void {
    const { index, contentTokens, elidedAttachmentTokens = 0 } = note;
    this.tokenAmounts.replaceAttachments(index, contentTokens);
    this.byteAmounts?.replaceAttachments(index, attachmentNote(elidedAttachmentTokens).length);
    this.changes[index] = change;
    this.#attachmentNotes.set(index, note);
    this.#changed(index);
  }

  /** A note in the place of one attachment, which tells where the same one stands; or another in the place of that note. */
  recordCopyNote(copy: Copy, note: CopyNote, change: Change): void {
    const { index, tokens, bytes } = copy;
    const earlier = this.#copyNotes.get(copy);
    const [goneTokens, goneBytes] = earlier === undefined ? [tokens, bytes] : [0, 0];
    this.tokenAmounts.replaceAttachment(index, goneTokens, note.tokens - (earlier?.tokens ?? 0));
    this.byteAmounts?.replaceAttachment(
      index,
      goneBytes,
      earlier === undefined ? NOTE_PART_CEILING_BYTES : 0,
    );
    this.changes[index] = change;
    this.#copyNotes.set(copy, note);
    this.#changed(index);
  }

  /** Whether an attachment is where it was. */
  isStanding(copy: Copy): boolean {
    const isNoted = this.#copyNotes.has(copy) || this.#attachmentNotes.has(copy.index);
    return !isNoted && !this.isDropped(copy.index);
  }

  /** Copies that are left out, of messages that are left, and where the same one was kept. */
  copyNotes(): readonly (readonly [Copy, CopyNote])[] {
    return [...this.#copyNotes].filter(([{ index }]) => !this.isDropped(index));
  }

  /** Those of messages that are left, in input order. */
  attachmentNotes(): AttachmentNote[] {
    const ofMessages = [...this.#attachmentNotes.values()]
      .filter(({ index }) => !this.isDropped(index))
      .map(({ index, elidedAttachmentTokens = 0 }) => ({ index, elidedTokens: elidedAttachmentTokens }));
    const ofCopies = this.copyNotes().map(([{ index, position, tokens }, { kept }]) => ({
      index,
      elidedTokens: tokens,
      position,
      ...(kept && { kept: { index: kept.index, position: kept.position } }),
    }));
    if (ofCopies.length === 0) return ofMessages;
    return [...ofMessages, ...ofCopies].sort((a, b) => a.index - b.index || positionOf(a) - positionOf(b));
  }

  /** Those of the messages `start` to `end`, the latter not included, that are still there. */
  recordDrop(start: number, end: number, change: Change): void {
    const dropped: number[] = [];
    for (let index = start; index < end; index++) {
      if (this.isDropped(index)) continue;
      for (const amounts of this.amounts) amounts.drop(index);
      this.changes[index] = change;
      dropped.push(index);
    }
    const [first] = dropped;
    if (first === undefined) return;
    this.drops.push(dropped);
    this.#idleThinking.wake(
      (index) => this.isDropped(index),
      (index, tokens) => this.tokenAmounts.addOther(index, tokens),
    );
    this.#changed(first);
  }

  /** Tokens that are left of each message: 0 when dropped. */
  tokensAfter(): Int32Array {
    return Int32Array.from(this.contentTokens, (_, index) =>
      this.isDropped(index) ? 0 : this.tokensOf(index),
    );
  }

  /** Tokens that are left of a message that was not dropped. */
  tokensOf(index: number): number {
    return this.tokenAmounts.of(index);
  }

  /** A change at a message unbinds what is left from there on. */
  #changed(start: number): void {
    this.#changeCount += 1;
    for (const amounts of this.amounts) amounts.unbindFrom(start, (index) => this.isDropped(index));
    const { onChange } = this.ledger.bytes ?? {};
    if (onChange === undefined || start > onChange.upTo || this.#hasChangedBytesOfRequest) return;
    this.#hasChangedBytesOfRequest = true;
    this.byteAmounts?.addOverhead(onChange.bytes);
  }
}

/** What stands in the place of an attachment: where the same one is kept, if it still is, and tokens of the note. */
export interface CopyNote {
  readonly kept: Copy | undefined;
  readonly tokens: number;
}

function positionOf({ position = -1 }: AttachmentNote): number {
  return position;
}

function tokensIn({
  contentTokens,
  attachmentTokens,
  otherTokens,
  boundTokens,
  requestOverheadTokens,
}: Ledger) {
  return {
    content: contentTokens,
    attachments: attachmentTokens,
    other: otherTokens,
    bound: boundTokens,
    overhead: requestOverheadTokens,
  };
}
