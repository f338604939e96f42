import type { ByteSource } from './byte-source.js';
import { damaged, Unreadable } from './unreadable.js';

/** Decoded at a time; headers take one block. */
const BLOCK_BYTES = 6 * 1024;

/** Numbers that are read of one file: some 20 ms. A film of an hour takes 100,000, a photo 100. */
const MAX_READS = 500_000;

/** Blocks beyond twice those of the file: it is read once, and a header here and there again. */
const MAX_EXTRA_BLOCKS = 256;

/**
 * A file that is read by offsets, as its headers tell. Whatever they tell, reading ends: every number read is a step, a file has
 * so many, and behind the last a reader is told `took_too_long`. Reads beyond the end are `damaged`.
 */
export class FileBytes {
  readonly #source: ByteSource;
  #block: Uint8Array = new Uint8Array();
  #blockStart = 0;
  #readsLeft = MAX_READS;
  #blocksLeft = MAX_EXTRA_BLOCKS;
  #isWholeGranted = false;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  get byteLength(): number {
    return this.#source.byteLength;
  }

  has(byteLength: number): boolean {
    return this.#source.has(byteLength);
  }

  /** An unsigned number of one byte. */
  u8(at: number): number {
    if (--this.#readsLeft < 0) throw new Unreadable('took_too_long');
    const inBlock = at - this.#blockStart;
    if (inBlock >= 0 && inBlock < this.#block.length) return this.#block[inBlock] as number;
    this.#load(at);
    const byte = this.#block[at - this.#blockStart];
    if (byte === undefined) throw damaged();
    return byte;
  }

  u16(at: number): number {
    return this.u8(at) * 0x100 + this.u8(at + 1);
  }

  u24(at: number): number {
    return this.u16(at) * 0x100 + this.u8(at + 2);
  }

  u32(at: number): number {
    return this.u16(at) * 0x1_0000 + this.u16(at + 2);
  }

  /** Rounded beyond 2^53, which is beyond the end of any file. */
  u64(at: number): number {
    return this.u32(at) * 0x1_0000_0000 + this.u32(at + 4);
  }

  /** Lower byte first. */
  u16le(at: number): number {
    return this.u8(at) + this.u8(at + 1) * 0x100;
  }

  u24le(at: number): number {
    return this.u16le(at) + this.u8(at + 2) * 0x1_0000;
  }

  u32le(at: number): number {
    return this.u16le(at) + this.u16le(at + 2) * 0x1_0000;
  }

  u64le(at: number): number {
    return this.u32le(at) + this.u32le(at + 4) * 0x1_0000_0000;
  }

  /** Whether these characters stand there; false beyond the end. */
  is(at: number, text: string): boolean {
    if (!this.has(at + text.length)) return false;
    for (let i = 0; i < text.length; i++) if (this.u8(at + i) !== text.charCodeAt(i)) return false;
    return true;
  }

  /** Characters of one byte each. */
  ascii(at: number, length: number): string {
    let text = '';
    for (let i = 0; i < length; i++) text += String.fromCharCode(this.u8(at + i));
    return text;
  }

  /** A stretch of the file, up to its end. It costs the reads that its bytes would take in blocks. */
  bytes(start: number, end: number): Uint8Array {
    this.#takeBlocks(Math.ceil((end - start) / BLOCK_BYTES));
    return this.#source.bytes(start, end);
  }

  #load(at: number): void {
    if (!Number.isSafeInteger(at) || at < 0 || !this.has(at + 1)) throw damaged();
    this.#takeBlocks(1);
    this.#blockStart = at - (at % 3);
    this.#block = this.#source.bytes(this.#blockStart, this.#blockStart + BLOCK_BYTES);
  }

  #takeBlocks(count: number): void {
    this.#blocksLeft -= count;
    // The length of base64 is known only when all of it was looked at, which most headers need not wait for.
    if (this.#blocksLeft < 0 && !this.#isWholeGranted) {
      this.#isWholeGranted = true;
      this.#blocksLeft += Math.ceil((2 * this.byteLength) / BLOCK_BYTES);
    }
    if (this.#blocksLeft < 0) throw new Unreadable('took_too_long');
  }
}
