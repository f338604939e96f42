import type { Steps } from '@preflight/core';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  FIRST_PRINTABLE,
  HEX_DIGITS,
  isWhiteSpace,
  LOWER_U,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './json-bytes.js';

/**
 * The offset of the first byte that cannot be part of a JSON text, the length if the text ends too early, or -1 if
 * it is valid JSON. Needed only for the position in an error, since V8 does not give one for every error. Reads byte by
 * byte, without recursion.
 */
export function syntaxErrorOffset(bytes: Uint8Array): Steps<number> {
  return new SyntaxReader(bytes).errorOffset();
}

/** Bytes that are read in one step, about a millisecond. */
const STEP_BYTES = 64 * 1024;

/** Thrown inside this file to leave the reader at once. */
const WRONG = Symbol('wrong');

class SyntaxReader {
  readonly #bytes: Uint8Array;
  /** The bytes that close what is open. */
  readonly #closers: number[] = [];
  #offset = 0;
  #stepEnd = STEP_BYTES;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  *errorOffset(): Steps<number> {
    try {
      do yield* this.#readValue();
      while (yield* this.#isMoreToCome());
      return this.#offset < this.#bytes.length ? this.#offset : -1;
    } catch (error) {
      if (error === WRONG) return this.#offset;
      throw error;
    }
  }

  /** Reads a value, or the start of one: the opening bracket and, in an object, the first key. */
  *#readValue(): Steps<void> {
    for (;;) {
      this.#skipWhiteSpace();
      const byte = this.#bytes[this.#offset];
      if (byte === OPEN_ARRAY) {
        if (this.#isEmptyAfterOpening(CLOSE_ARRAY)) return;
      } else if (byte === OPEN_OBJECT) {
        if (this.#isEmptyAfterOpening(CLOSE_OBJECT)) return;
        yield* this.#readKey();
      } else {
        yield* this.#readScalar(byte);
        return;
      }
    }
  }

  #isEmptyAfterOpening(closer: number): boolean {
    this.#offset += 1;
    this.#skipWhiteSpace();
    if (this.#bytes[this.#offset] !== closer) {
      this.#closers.push(closer);
      return false;
    }
    this.#offset += 1;
    return true;
  }

  /** Reads what follows a value, up to the next one; false at the end of the outermost value. */
  *#isMoreToCome(): Steps<boolean> {
    if (this.#offset >= this.#stepEnd) yield* this.#endStep();
    for (;;) {
      this.#skipWhiteSpace();
      const closer = this.#closers.at(-1);
      if (closer === undefined) return false;
      const byte = this.#bytes[this.#offset];
      if (byte === COMMA) {
        this.#offset += 1;
        if (closer === CLOSE_OBJECT) yield* this.#readKey();
        return true;
      }
      this.#expect(closer);
      this.#closers.pop();
    }
  }

  *#readKey(): Steps<void> {
    this.#skipWhiteSpace();
    yield* this.#readString();
    this.#skipWhiteSpace();
    this.#expect(COLON);
  }

  *#readScalar(byte: number | undefined): Steps<void> {
    if (byte === QUOTE) yield* this.#readString();
    else if (byte === 0x74) this.#readWord('true');
    else if (byte === 0x66) this.#readWord('false');
    else if (byte === 0x6e) this.#readWord('null');
    else this.#readNumber();
  }

  *#endStep(): Steps<void> {
    yield;
    this.#stepEnd = this.#offset + STEP_BYTES;
  }

  *#readString(): Steps<void> {
    this.#expect(QUOTE);
    for (;;) {
      if (this.#offset >= this.#stepEnd) yield* this.#endStep();
      const byte = this.#bytes[this.#offset];
      if (byte === undefined || byte < FIRST_PRINTABLE) throw WRONG;
      this.#offset += 1;
      if (byte === QUOTE) return;
      if (byte === BACKSLASH) this.#readEscape();
    }
  }

  #readEscape(): void {
    const letter = this.#bytes[this.#offset];
    if (letter === undefined || !'"\\/bfnrtu'.includes(String.fromCharCode(letter))) throw WRONG;
    this.#offset += 1;
    if (letter !== LOWER_U) return;
    for (let i = 0; i < 4; i += 1) {
      const byte = this.#bytes[this.#offset];
      if (byte === undefined || (HEX_DIGITS[byte] as number) < 0) throw WRONG;
      this.#offset += 1;
    }
  }

  #readWord(word: string): void {
    for (const letter of word) this.#expect(letter.charCodeAt(0));
  }

  #readNumber(): void {
    this.#skip('-');
    if (!this.#skip('0')) this.#readDigits();
    if (this.#skip('.')) this.#readDigits();
    if (this.#skip('e') || this.#skip('E')) {
      if (!this.#skip('+')) this.#skip('-');
      this.#readDigits();
    }
  }

  #readDigits(): void {
    const start = this.#offset;
    for (;;) {
      const byte = this.#bytes[this.#offset];
      if (byte === undefined || byte < 0x30 || byte > 0x39) break;
      this.#offset += 1;
    }
    if (this.#offset === start) throw WRONG;
  }

  #skip(letter: string): boolean {
    if (this.#bytes[this.#offset] !== letter.charCodeAt(0)) return false;
    this.#offset += 1;
    return true;
  }

  #expect(byte: number): void {
    if (this.#bytes[this.#offset] !== byte) throw WRONG;
    this.#offset += 1;
  }

  #skipWhiteSpace(): void {
    while (isWhiteSpace(this.#bytes[this.#offset])) this.#offset += 1;
  }
}
