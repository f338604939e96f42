import { damaged, Unreadable } from '../unreadable.js';

/** What an object of a PDF file comes to (ISO 32000-1 §7.3). Names keep their slash; strings are not kept, since no figure is one. */
export type PdfObject =
  | number
  | string
  | boolean
  | null
  | Reference
  | readonly PdfObject[]
  | PdfDictionary
  | PdfStream;

/** An indirect reference, `12 0 R`: the number of the object that stands elsewhere in the file. */
export class Reference {
  constructor(readonly number: number) {}
}

export type PdfDictionary = ReadonlyMap<string, PdfObject>;

/** A stream: its dictionary, and where its bytes begin. */
export class PdfStream {
  constructor(
    readonly dictionary: PdfDictionary,
    readonly start: number,
  ) {}
}

export function isDictionary(object: PdfObject | undefined): object is PdfDictionary {
  return object instanceof Map;
}

/** What may be done with one file, in steps of a third of a microsecond: some 50 ms. A book of a thousand pages takes 60,000. */
const MAX_STEPS = 150_000;
/** What is inflated of one file: some 30 ms. */
const MAX_INFLATED_BYTES = 8 * 1024 * 1024;
/** What else takes steps, beside a value, which takes one. */
const FAULT_STEPS = 50;
const ROW_STEPS = 0.75;
const PLACE_STEPS = 2;
const BYTES_A_STEP = 256;
const MAX_DEPTH = 64;

/** How much of a file may still be parsed and inflated, whatever it claims. */
export class PdfBudget {
  #stepsLeft = MAX_STEPS;
  #inflatedBytesLeft = MAX_INFLATED_BYTES;

  takeValue(): void {
    this.#take(1);
  }

  /** For an object that cannot be read, and is passed over: an error takes its time. */
  takeFault(): void {
    this.#take(FAULT_STEPS);
  }

  /** For a row of a table of references. */
  takeRow(): void {
    this.#take(ROW_STEPS);
  }

  /** For a place where an object may begin. */
  takePlace(): void {
    this.#take(PLACE_STEPS);
  }

  /** For bytes that are passed over. */
  takeBytes(byteLength: number): void {
    this.#take(byteLength / BYTES_A_STEP);
  }

  get inflatedBytesLeft(): number {
    return this.#inflatedBytesLeft;
  }

  takeInflated(byteLength: number): void {
    this.takeBytes(byteLength);
    this.#inflatedBytesLeft -= byteLength;
    if (this.#inflatedBytesLeft <= 0) throw new Unreadable('too_large');
  }

  #take(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new Unreadable('took_too_long');
  }
}

const WHITE = tableOf([0, 9, 10, 12, 13, 32]);
const ENDS_WORD = tableOf([0, 9, 10, 12, 13, 32, ...[...'()<>[]{}/%'].map((letter) => letter.charCodeAt(0))]);
const code = (letter: string) => letter.charCodeAt(0);
const [SLASH, PERCENT, OPEN, CLOSE, LESS, GREATER, BACKSLASH] = [...'/%()<>\\'].map(code) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];
const [OPEN_LIST, CLOSE_LIST] = [code('['), code(']')];
const [ZERO, SPACE, USED, FREE] = [code('0'), code(' '), code('n'), code('f')];

/** Reads objects one after the other. Throws Unreadable. */
export class ObjectParser {
  constructor(
    private readonly bytes: Buffer,
    public at: number,
    private readonly budget: PdfBudget,
  ) {}

  /** The object here; of `12 0 obj`, what stands behind it. */
  indirectObject(): { readonly number: number; readonly object: PdfObject } {
    const [number, , keyword] = [this.object(), this.object(), this.#word()];
    if (typeof number !== 'number' || keyword !== 'obj') throw damaged();
    const object = this.object();
    if (!isDictionary(object)) return { number, object };
    const before = this.at;
    if (this.#word() !== 'stream') {
      this.at = before;
      return { number, object };
    }
    // One line break, of either kind, and then the bytes.
    if (this.bytes[this.at] === 13) this.at += 1;
    if (this.bytes[this.at] === 10) this.at += 1;
    return { number, object: new PdfStream(object, this.at) };
  }

  /** The same, of objects that are a dictionary or a stream; undefined for others, of which nothing is read. */
  indirectDictionary(): PdfObject | undefined {
    const before = this.at;
    for (let word = 0; word < 3; word++) this.#word();
    if (!this.#isAtDictionary()) return undefined;
    this.at = before;
    return this.indirectObject().object;
  }

  /** The dictionary here; undefined where none stands. */
  dictionary(): PdfDictionary | undefined {
    return this.#isAtDictionary() ? this.#dictionary(0) : undefined;
  }

  /** A row of a table of references: offset, generation and state, in any number of characters. Undefined where none stands. */
  row(): { readonly offset: number; readonly isUsed: boolean } | undefined {
    this.budget.takeRow();
    const usual = this.#usualRow();
    if (usual !== undefined) return usual;
    const [offset, , state] = [this.#word(), this.#word(), this.#word()];
    return state === 'n' || state === 'f' ? { offset: Number(offset), isUsed: state === 'n' } : undefined;
  }

  /** As nearly all writers have it: ten digits, five, and the state, with a space between. */
  #usualRow(): { readonly offset: number; readonly isUsed: boolean } | undefined {
    const { bytes } = this;
    let start = this.at;
    while (WHITE[bytes[start] as number] === 1 && start < this.at + 2) start += 1;
    let offset = 0;
    for (let i = start; i < start + 10; i++) {
      const digit = (bytes[i] as number) - ZERO;
      if (!(digit >= 0 && digit <= 9)) return undefined;
      offset = 10 * offset + digit;
    }
    const state = bytes[start + 17];
    const end = bytes[start + 18] as number;
    if (bytes[start + 10] !== SPACE || bytes[start + 16] !== SPACE || ENDS_WORD[end] !== 1) return undefined;
    if (state !== USED && state !== FREE) return undefined;
    this.at = start + 18;
    return { offset, isUsed: state === USED };
  }

  object(depth = 0): PdfObject {
    this.budget.takeValue();
    if (depth > MAX_DEPTH) throw damaged();
    this.#skipWhite();
    const byte = this.bytes[this.at];
    if (byte === undefined) throw damaged();
    if (byte === SLASH) {
      this.at += 1;
      return `/${this.#regular()}`;
    }
    if (byte === OPEN) return this.#skipString();
    if (this.#isAtDictionary()) return this.#dictionary(depth);
    if (byte === LESS) return this.#skipHexString();
    if (byte === OPEN_LIST) return this.#list(depth);
    return this.#numberOrWord();
  }

  #isAtDictionary(): boolean {
    this.#skipWhite();
    return this.bytes[this.at] === LESS && this.bytes[this.at + 1] === LESS;
  }

  #dictionary(depth: number): PdfDictionary {
    this.at += 2;
    const entries = new Map<string, PdfObject>();
    for (;;) {
      this.#skipWhite();
      if (this.bytes[this.at] === GREATER) {
        this.at += 2;
        return entries;
      }
      const name = this.object(depth + 1);
      if (typeof name !== 'string' || !name.startsWith('/')) throw damaged();
      entries.set(name, this.object(depth + 1));
    }
  }

  #list(depth: number): PdfObject[] {
    this.at += 1;
    const items: PdfObject[] = [];
    for (;;) {
      this.#skipWhite();
      if (this.bytes[this.at] === CLOSE_LIST) {
        this.at += 1;
        return items;
      }
      items.push(this.object(depth + 1));
    }
  }

  /** A number, the reference that it begins, or a keyword. */
  #numberOrWord(): PdfObject {
    const word = this.#regular();
    if (word === '') throw damaged();
    if (word === 'true' || word === 'false') return word === 'true';
    if (word === 'null') return null;
    const number = Number(word);
    if (Number.isNaN(number)) return word;
    const before = this.at;
    if (/^\d+$/.test(word) && /^\d+$/.test(this.#word()) && this.#word() === 'R')
      return new Reference(number);
    this.at = before;
    return number;
  }

  /** The next of the characters that make words. */
  #word(): string {
    this.#skipWhite();
    return this.#regular();
  }

  /** Longer words than names have are of no interest. */
  #regular(): string {
    const start = this.at;
    for (let byte = this.bytes[this.at]; byte !== undefined; byte = this.bytes[++this.at])
      if (ENDS_WORD[byte] === 1) break;
    this.budget.takeBytes(this.at - start);
    return this.bytes.toString('latin1', start, Math.min(this.at, start + 128));
  }

  #skipWhite(): void {
    const start = this.at;
    for (let byte = this.bytes[this.at]; byte !== undefined; byte = this.bytes[this.at]) {
      if (byte === PERCENT) {
        while (this.at < this.bytes.length && this.bytes[this.at] !== 10 && this.bytes[this.at] !== 13)
          this.at += 1;
      } else if (WHITE[byte] !== 1) break;
      this.at += 1;
    }
    this.budget.takeBytes(this.at - start);
  }

  #skipString(): null {
    const start = this.at;
    let depth = 0;
    for (; this.at < this.bytes.length; this.at++) {
      const byte = this.bytes[this.at];
      if (byte === BACKSLASH) this.at += 1;
      else if (byte === OPEN) depth += 1;
      else if (byte === CLOSE && --depth === 0) {
        this.at += 1;
        this.budget.takeBytes(this.at - start);
        return null;
      }
    }
    this.budget.takeBytes(this.at - start);
    throw damaged();
  }

  #skipHexString(): null {
    const end = this.bytes.indexOf(GREATER, this.at);
    this.budget.takeBytes((end < 0 ? this.bytes.length : end) - this.at);
    if (end < 0) throw damaged();
    this.at = end + 1;
    return null;
  }
}

function tableOf(bytes: readonly number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
}
