/*
 * Four bytes read as one little-endian integer and tested at once. A test gives a mark: the high bit of each byte
 * that passes. Subtracting borrows into that bit if the byte was too small; since a borrow runs on into higher bytes,
 * only the lowest mark of a word is sure, and that no mark means none. Both are all that is needed.
 */
const HIGH_BITS = 0x80808080 | 0;

/** Marks the control characters, which JSON forbids inside strings. */
export function markControls(word: number): number {
  return (word - 0x20202020) & ~word & HIGH_BITS;
}

export function markBackslashes(word: number): number {
  const difference = word ^ 0x5c5c5c5c;
  return (difference - 0x01010101) & ~difference & HIGH_BITS;
}

export function markQuotes(word: number): number {
  const difference = word ^ 0x22222222;
  return (difference - 0x01010101) & ~difference & HIGH_BITS;
}

/** How many bytes of the word come before the lowest mark, of which there must be one. */
export function bytesBeforeMark(mark: number): number {
  return (31 - Math.clz32(mark & -mark)) >> 3;
}

export function wordsOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
