import type { FileBytes } from '../file-bytes.js';

const HEADER_BYTES = 10;
const FOOTER_FLAG = 0x10;
/** Some writers put one tag behind another. */
const MAX_TAGS = 8;

/** Where what follows ID3v2 tags begins (ID3v2.4 §3.1): 0 without tags. */
export function behindId3(file: FileBytes): number {
  let at = 0;
  for (let i = 0; i < MAX_TAGS && file.is(at, 'ID3') && file.has(at + HEADER_BYTES); i++) {
    const footerBytes = (file.u8(at + 5) & FOOTER_FLAG) === 0 ? 0 : HEADER_BYTES;
    // Seven bits a byte.
    const [a, b, c, d] = [6, 7, 8, 9].map((offset) => file.u8(at + offset) & 0x7f) as [
      number,
      number,
      number,
      number,
    ];
    at += HEADER_BYTES + footerBytes + ((a * 128 + b) * 128 + c) * 128 + d;
  }
  return at;
}
