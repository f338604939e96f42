import { Unreadable } from './unreadable.js';

/** Bytes of a file that may have to be decoded, of which only those are that somebody looks at. */
export interface ByteSource {
  readonly byteLength: number;
  /** Bytes `start` up to `end`, or up to where the file ends. Throws Unreadable. */
  bytes(start: number, end: number): Uint8Array;
  /** Whether there are as many bytes: without looking at what comes behind them. */
  has(byteLength: number): boolean;
}

/** A file as it is. */
export function plainBytes(bytes: Uint8Array): ByteSource {
  return {
    byteLength: bytes.length,
    bytes: (start, end) => bytes.subarray(start, end),
    has: (byteLength) => byteLength <= bytes.length,
  };
}

/** Four letters are three bytes. */
const GROUP_LETTERS = 4;
const GROUP_BYTES = 3;

/** Letters that are searched for white space in one step. */
const SEARCH_LETTERS = 64 * 1024;

const WHITE_SPACE = [0x0a, 0x0d, 0x20, 0x09];

/**
 * A file written in base64, of either alphabet. Letters are decoded where they stand, as long as there is no white space
 * among those up to there; of a text with line breaks in it a copy is made without them.
 */
export class Base64Bytes implements ByteSource {
  #letters: Buffer;
  /** Letters up to here have no white space among them. */
  #searchedTo = 0;

  constructor(text: Uint8Array) {
    this.#letters = withoutPadding(asBuffer(text));
  }

  get byteLength(): number {
    this.#search(this.#letters.length);
    return Math.floor((this.#letters.length * GROUP_BYTES) / GROUP_LETTERS);
  }

  has(byteLength: number): boolean {
    const lettersNeeded = Math.ceil((byteLength * GROUP_LETTERS) / GROUP_BYTES);
    this.#search(lettersNeeded);
    return lettersNeeded <= this.#letters.length;
  }

  bytes(start: number, end: number): Uint8Array {
    const firstGroup = Math.floor(start / GROUP_BYTES);
    const endLetters = Math.ceil(end / GROUP_BYTES) * GROUP_LETTERS;
    this.#search(endLetters);
    const letters = this.#letters.toString('latin1', firstGroup * GROUP_LETTERS, endLetters);
    const decoded = Buffer.from(letters, 'base64');
    // What is no letter of base64 is left out by the decoder, or ends it.
    if (decoded.length !== Math.floor((letters.length * GROUP_BYTES) / GROUP_LETTERS))
      throw new Unreadable('no_base64');
    const skipped = firstGroup * GROUP_BYTES;
    return decoded.subarray(start - skipped, end - skipped);
  }

  #search(endLetters: number): void {
    while (this.#searchedTo < Math.min(endLetters, this.#letters.length)) {
      const letters = this.#letters.subarray(this.#searchedTo, this.#searchedTo + SEARCH_LETTERS);
      if (WHITE_SPACE.some((space) => letters.includes(space))) {
        this.#letters = withoutPadding(withoutWhiteSpace(this.#letters));
        this.#searchedTo = this.#letters.length;
      } else this.#searchedTo += letters.length;
    }
  }
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

const EQUALS_SIGN = 0x3d;

function withoutPadding(text: Buffer): Buffer {
  let end = text.length;
  while (end > 0 && WHITE_SPACE.includes(text[end - 1] as number)) end -= 1;
  for (let padding = 0; padding < 2 && text[end - 1] === EQUALS_SIGN; padding++) end -= 1;
  return text.subarray(0, end);
}

function withoutWhiteSpace(text: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (const letter of text) {
    kept[length] = letter;
    if (!WHITE_SPACE.includes(letter)) length += 1;
  }
  return kept.subarray(0, length);
}
