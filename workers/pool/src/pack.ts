import { type Countable, type Piece, TextRange } from '@preflight/core';
import { type Packed, WRITINGS } from './messages.js';

const encoder = new TextEncoder();

/**
 * Packs countables for a thread. Ranges stay where they are; small strings are written, as UTF-8, into one buffer that
 * is transferred. Lone surrogates become U+FFFD there, which is how they count.
 */
export function pack(countables: readonly Countable[]): Packed {
  const sources = new Sources();
  const strings = new StringBytes();
  const pieces: number[] = [];
  const ends = new Int32Array(countables.length);
  countables.forEach((countable, i) => {
    for (const piece of countable) {
      const { text, writing } = read(piece);
      if (text instanceof TextRange) pieces.push(sources.indexOf(text.buffer), text.start, text.end, writing);
      else pieces.push(STRINGS, ...strings.append(text), writing);
    }
    ends[i] = pieces.length / 4;
  });
  return { sources: [strings.buffer(), ...sources.list], pieces: Int32Array.from(pieces), ends };
}

/** What can be handed over without a copy. */
export function transferables(packed: Packed): ArrayBuffer[] {
  return packed.sources.filter((source) => source instanceof ArrayBuffer);
}

/** Bytes of a countable before any rewriting: exact for ranges, at least the length for strings. */
export function sizeBytes(countable: Countable): number {
  let bytes = 0;
  for (const piece of countable) {
    const { text } = read(piece);
    bytes += text instanceof TextRange ? text.byteLength : text.length;
  }
  return bytes;
}

const STRINGS = 0;

function read(piece: Piece): { text: string | TextRange; writing: number } {
  return typeof piece === 'string' || piece instanceof TextRange
    ? { text: piece, writing: 0 }
    : { text: piece.text, writing: WRITINGS.indexOf(piece.as) };
}

class Sources {
  readonly list: SharedArrayBuffer[] = [];

  /** Nearly always the same buffer as the last time: the request's body. */
  indexOf(buffer: SharedArrayBuffer): number {
    const last = this.list.length - 1;
    const known = this.list[last] === buffer ? last : this.list.indexOf(buffer);
    return 1 + (known >= 0 ? known : this.list.push(buffer) - 1);
  }
}

class StringBytes {
  #bytes = new Uint8Array(4096);
  #length = 0;

  append(text: string): [start: number, end: number] {
    const start = this.#length;
    const atMost = start + 3 * text.length;
    if (atMost > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(atMost, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, start));
      this.#bytes = larger;
    }
    this.#length += encoder.encodeInto(text, this.#bytes.subarray(start)).written;
    return [start, this.#length];
  }

  buffer(): ArrayBuffer {
    return this.#bytes.buffer;
  }
}
