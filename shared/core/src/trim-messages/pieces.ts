import type { TextSplitter } from './trim-options.js';

/**
 * Where the pieces of a text end, in bytes of its UTF-8; joined they give it back (langchain-trim.md, section 2).
 * `lines` cuts behind every line break, and a text that ends in one has a last piece that is empty. `words` cuts where a
 * word begins, so that white space stays with the word before it.
 */
export function pieceEnds(bytes: Uint8Array, splitter: TextSplitter): Uint32Array {
  return splitter === 'lines' ? lineEnds(bytes) : wordEnds(bytes);
}

const LINE_BREAK = 0x0a;

function lineEnds(bytes: Uint8Array): Uint32Array {
  const ends = new Ends();
  for (let at = bytes.indexOf(LINE_BREAK); at !== -1; at = bytes.indexOf(LINE_BREAK, at + 1))
    ends.add(at + 1);
  return ends.finish(bytes.length);
}

function wordEnds(bytes: Uint8Array): Uint32Array {
  const ends = new Ends();
  let wasSpace = false;
  for (let at = 0; at < bytes.length; ) {
    const spaceBytes = spaceLength(bytes, at);
    if (spaceBytes === 0 && wasSpace) ends.add(at);
    wasSpace = spaceBytes > 0;
    at += spaceBytes || characterLength(bytes[at] as number);
  }
  return bytes.length === 0 ? new Uint32Array() : ends.finish(bytes.length);
}

/** Bytes of the white space character at this place, as `\s` of Python's regular expressions has it; 0 if it is none. */
function spaceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80)
    return first === 0x20 || (first >= 0x09 && first <= 0x0d) || (first >= 0x1c && first <= 0x1f) ? 1 : 0;
  const second = bytes[at + 1];
  if (first === 0xc2) return second === 0x85 || second === 0xa0 ? 2 : 0;
  if (first < 0xe1 || first > 0xe3) return 0;
  return WIDE_SPACES.has((first << 16) | ((second as number) << 8) | (bytes[at + 2] as number)) ? 3 : 0;
}

/** White space of three bytes: U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F and U+3000. */
const WIDE_SPACES: ReadonlySet<number> = new Set([
  0xe19a80,
  ...Array.from({ length: 11 }, (_, i) => 0xe28080 + i),
  0xe280a8,
  0xe280a9,
  0xe280af,
  0xe2819f,
  0xe38080,
]);

function characterLength(firstByte: number): number {
  if (firstByte < 0xc0) return 1;
  if (firstByte < 0xe0) return 2;
  return firstByte < 0xf0 ? 3 : 4;
}

/** A list of numbers that grows: there may be as many pieces as bytes. */
class Ends {
  #ends = new Uint32Array(64);
  #length = 0;

  add(end: number): void {
    if (this.#length === this.#ends.length) {
      const larger = new Uint32Array(2 * this.#length);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    this.#ends[this.#length++] = end;
  }

  finish(lastEnd: number): Uint32Array {
    this.add(lastEnd);
    return this.#ends.slice(0, this.#length);
  }
}
