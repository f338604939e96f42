import { numberReprLength } from './number-repr.js';
import { textReprLength } from './text-repr.js';

/**
 * How many characters Python's `repr` has of what `json.loads(text, strict=False)` reads; undefined if it reads nothing.
 * Linear in the text, however it is nested. Of keys that come twice the last value stands.
 */
export function jsonTextReprLength(text: string): number | undefined {
  const reader = new Reader(text);
  /** The containers around the value that is read. */
  const open: Container[] = [];
  for (;;) {
    // A value begins here.
    let length: number | undefined;
    const isObject = reader.take('{');
    if (isObject || reader.take('[')) {
      const container = new Container(isObject);
      if (reader.take(container.end)) length = container.length;
      else {
        if (!container.readKey(reader)) return undefined;
        open.push(container);
        continue;
      }
    } else length = reader.scalarLength();
    if (length === undefined) return undefined;
    // A value has ended, and with it perhaps those around it.
    for (;;) {
      const container = open.at(-1);
      if (container === undefined) return reader.isAtEnd() ? length : undefined;
      container.add(length);
      if (reader.take(',')) {
        if (!container.readKey(reader)) return undefined;
        break;
      }
      if (!reader.take(container.end)) return undefined;
      length = container.length;
      open.pop();
    }
  }
}

/** A list, or a dictionary, and how long what was read of it is. */
class Container {
  readonly end: '}' | ']';
  readonly #keys: Map<string, number> | undefined;
  #key = '';
  #itemsLength = 0;
  #items = 0;

  constructor(isObject: boolean) {
    this.end = isObject ? '}' : ']';
    this.#keys = isObject ? new Map() : undefined;
  }

  /** With brackets, and two characters between items. */
  get length(): number {
    return 2 + this.#itemsLength + 2 * Math.max(0, this.#items - 1);
  }

  /** Reads the key in front of a value, if values have one. */
  readKey(reader: Reader): boolean {
    if (this.#keys === undefined) return true;
    const key = reader.string();
    if (key === undefined || !reader.take(':')) return false;
    this.#key = key;
    return true;
  }

  add(valueLength: number): void {
    const replaced = this.#keys?.get(this.#key);
    this.#keys?.set(this.#key, valueLength);
    if (replaced !== undefined) this.#itemsLength += valueLength - replaced;
    else {
      this.#itemsLength += valueLength + (this.#keys ? textReprLength(this.#key) + 2 : 0);
      this.#items += 1;
    }
  }
}

/** What JSON consists of, one after the other. White space in front of it is skipped. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  take(mark: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  isAtEnd(): boolean {
    this.#skipSpace();
    return this.#at === this.#text.length;
  }

  scalarLength(): number | undefined {
    const text = this.string();
    if (text !== undefined) return textReprLength(text);
    SCALAR.lastIndex = this.#at;
    const literal = SCALAR.exec(this.#text)?.[0];
    if (literal === undefined) return undefined;
    this.#at += literal.length;
    return LITERAL_LENGTHS.get(literal) ?? numberReprLength(literal);
  }

  string(): string | undefined {
    if (!this.take('"')) return undefined;
    let value = '';
    let start = this.#at;
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (Number.isNaN(unit)) return this.#fail();
      if (unit !== QUOTE && unit !== BACKSLASH) {
        this.#at += 1;
        continue;
      }
      value += this.#text.slice(start, this.#at);
      this.#at += 1;
      if (unit === QUOTE) return value;
      const escaped = this.#escaped();
      if (escaped === undefined) return this.#fail();
      value += escaped;
      start = this.#at;
    }
  }

  /** Nothing can be read any more. */
  #fail(): undefined {
    this.#at = this.#text.length + 1;
  }

  #escaped(): string | undefined {
    const letter = this.#text[this.#at] ?? '';
    this.#at += 1;
    if (letter !== 'u') return ESCAPES.get(letter);
    const digits = this.#text.slice(this.#at, this.#at + 4);
    this.#at += 4;
    return /^[\da-fA-F]{4}$/.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : undefined;
  }

  #skipSpace(): void {
    while (SPACES.has(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const SCALAR = /true|false|null|NaN|-?Infinity|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPES = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** `True`, `False`, `None`, `nan`, `inf`, `-inf`. */
const LITERAL_LENGTHS = new Map([
  ['true', 4],
  ['false', 5],
  ['null', 4],
  ['NaN', 3],
  ['Infinity', 3],
  ['-Infinity', 4],
]);
