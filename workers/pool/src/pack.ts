import { type Countable, type Piece, TextRange } from '@preflight/core';
import { type Packed, WRITINGS } from './messages.js';

const encoder = new TextEncoder();

/** Countables, packed for a thread. */
export function pack(countables: Iterable<Countable>): Packed {
  const packer = new Packer();
  for (const countable of countables) packer.add(countable);
  return packer.finish();
}

/**
 * Packs countables for a thread. Ranges stay where they are; small strings are written, as UTF-8, into one buffer that
 * is transferred. Lone surrogates become U+FFFD there, which is how they count.
 */
export class Packer {
  readonly #sources = new Sources();
  readonly #strings = new StringBytes();
  readonly #pieces: number[] = [];
  readonly #ends: number[] = [];

  /** How many countables were added. */
  get length(): number {
    return this.#ends.length;
  }

  add(countable: Countable): void {
    for (const piece of countable) {
      const { text, writing } = read(piece);
      if (text instanceof TextRange)
        this.#pieces.push(this.#sources.indexOf(text.buffer), text.start, text.end, writing);
      else this.#pieces.push(STRINGS, ...this.#strings.append(text), writing);
    }
    this.#ends.push(this.#pieces.length / 4);
  }

  finish(): Packed {
    return {
      sources: [this.#strings.buffer(), ...this.#sources.list],
      pieces: new Int32Array(this.#pieces),
      ends: new Int32Array(this.#ends),
    };
  }
}

/** What can be handed over without a copy. */
export function transferables(packed: Packed): ArrayBuffer[] {
  return packed.sources.filter((source) => source instanceof ArrayBuffer);
}

/** Bytes of all that is packed, before any rewriting. */
export function packedBytes({ pieces }: Packed): number {
  let bytes = 0;
  for (let i = 0; i < pieces.length; i += 4) bytes += (pieces[i + 2] as number) - (pieces[i + 1] as number);
  return bytes;
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

/** Bytes of the longest piece. */
export function longestPieceBytes({ pieces }: Packed): number {
  let longest = 0;
  for (let at = 0; at < pieces.length; at += 4)
    longest = Math.max(longest, (pieces[at + 2] as number) - (pieces[at + 1] as number));
  return longest;
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
