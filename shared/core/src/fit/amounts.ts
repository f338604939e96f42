/** A number a message. */
type Column = Int32Array | Float64Array;

/** What messages have of something, in three parts, and what belongs to none of them. */
export interface GivenAmounts {
  readonly content: Column;
  readonly attachments: Column;
  readonly other: Column;
  /** Those of `other` that go once anything before them has changed. */
  readonly bound: Column;
  readonly overhead: number;
}

/** What a history has of its tokens, or of its bytes, while it is compressed: of each message, and the running sum. */
export class Amounts {
  /** What is left, per message; meaningless where dropped. */
  readonly content: Column;
  readonly attachments: Column;
  /** What is neither, notes about attachments included. */
  readonly other: Column;
  readonly #bound: Column;
  #total: number;
  /** From here on, what is bound to its prefix is gone. */
  #looseFrom: number;

  constructor(
    given: GivenAmounts,
    /** The most that the history may have. */
    readonly budget: number,
  ) {
    this.content = given.content.slice();
    this.attachments = given.attachments.slice();
    this.other = given.other.slice();
    this.overhead = given.overhead;
    this.#bound = given.bound;
    this.#looseFrom = given.content.length;
    this.#total = given.overhead;
    for (let index = 0; index < given.content.length; index++) this.#total += this.of(index);
  }

  /** What belongs to no message. */
  overhead: number;

  /** What is left of the whole history. */
  get total(): number {
    return this.#total;
  }

  /** What it has above its budget; zero or less if it is within. */
  get excess(): number {
    return this.#total - this.budget;
  }

  /** What is left of a message that was not dropped. */
  of(index: number): number {
    const { content, attachments, other } = this;
    return (content[index] ?? 0) + (attachments[index] ?? 0) + (other[index] ?? 0);
  }

  /** What it has once something before it has changed. */
  looseOf(index: number): number {
    return this.of(index) - (index < this.#looseFrom ? (this.#bound[index] ?? 0) : 0);
  }

  replaceContent(index: number, amount: number): void {
    this.#total += amount - (this.content[index] ?? 0);
    this.content[index] = amount;
  }

  replaceAttachments(index: number, noteAmount: number): void {
    this.#total += noteAmount - (this.attachments[index] ?? 0);
    this.attachments[index] = 0;
    this.other[index] = (this.other[index] ?? 0) + noteAmount;
  }

  addOther(index: number, amount: number): void {
    this.other[index] = (this.other[index] ?? 0) + amount;
    this.#total += amount;
  }

  /** A note in the place of one attachment, or another one in the place of that. */
  replaceAttachment(index: number, amount: number, noteAmount: number): void {
    const gone = Math.min(amount, this.attachments[index] ?? 0);
    this.#total += noteAmount - gone;
    this.attachments[index] = (this.attachments[index] ?? 0) - gone;
    this.other[index] = (this.other[index] ?? 0) + noteAmount;
  }

  drop(index: number): void {
    this.#total -= this.of(index);
  }

  addOverhead(amount: number): void {
    this.overhead += amount;
    this.#total += amount;
  }

  /** A change at a message unbinds what is left from there on; each message is looked at once in all changes. */
  unbindFrom(start: number, isDropped: (index: number) => boolean): void {
    for (let index = start; index < this.#looseFrom; index++) {
      const bound = isDropped(index) ? 0 : (this.#bound[index] ?? 0);
      this.other[index] = (this.other[index] ?? 0) - bound;
      this.#total -= bound;
    }
    this.#looseFrom = Math.min(this.#looseFrom, start);
  }
}
