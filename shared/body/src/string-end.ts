import { BACKSLASH, QUOTE } from './json-bytes.js';
import { bytesBeforeMark, markBackslashes, markQuotes, wordsOf } from './words.js';

/** So many bytes are read here before the native search is called, whose call costs as much as reading 100. */
const NEAR_BYTES = 128;

/** Finds the ends of the strings of a JSON body. */
export class StringEnds {
  readonly #bytes: Buffer;
  readonly #words: DataView;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#words = wordsOf(bytes);
  }

  /**
   * The offset of the quote that ends the string whose first byte is at `start`, or -1 if nothing ends it.
   * Says nothing about the validity of what is between. Near bytes are read here, far ones by native search, in
   * turns: so short strings, long ones and those full of escaped quotes are all linear and fast.
   */
  find(start: number): number {
    const bytes = this.#bytes;
    const words = this.#words;
    const lastWord = bytes.length - 4;
    let i = start;
    let far = i + NEAR_BYTES;
    for (;;) {
      while (i <= lastWord && i < far) {
        const word = words.getInt32(i, true);
        const mark = markQuotes(word) | markBackslashes(word);
        if (mark !== 0) {
          i += bytesBeforeMark(mark);
          break;
        }
        i += 4;
      }
      if (bytes[i] === QUOTE) return i;
      if (bytes[i] === BACKSLASH) {
        i += 2;
        continue;
      }
      const quote = bytes.indexOf(QUOTE, i);
      if (quote < 0) return -1;
      if (!this.#isEscaped(quote, i)) return quote;
      i = quote + 1;
      far = i + NEAR_BYTES;
    }
  }

  /** Whether the byte at `offset` follows an odd number of backslashes, none of which stands before `start`. */
  #isEscaped(offset: number, start: number): boolean {
    let first = offset;
    while (first > start && this.#bytes[first - 1] === BACKSLASH) first -= 1;
    return (offset - first) % 2 === 1;
  }
}
