// Which texts are tokens?
//
// A text of up to 15 bytes is a 16-byte key: its bytes, zeros, and its length in the low half of the last byte;
// the high half is free for the slots of the memos. Empty slots have length 0 and equal no key.

import {
  HASH_HIGH, HASH_LINE, HASH_LOW, LENGTH_MASKS, VOCABULARY, VOCABULARY_FILTER, VOCABULARY_FILTER_BITS, VOCABULARY_IDS,
  VOCABULARY_LINE_BITS,
} from "./layout";
import { NONE, byteAt, mergedBytes } from "./pairs";

/** Bits of a slot that are not of its key. */
export const COUNT_BITS: u64 = 0xf000000000000000;

/** First half of the key of the text. */
// @ts-ignore: decorator
@inline
export function lowKey(at: usize, length: usize): u64 {
  return load<u64>(at) & load<u64>(LENGTH_MASKS + (length << 4));
}

/** Second half of the key of the text. */
// @ts-ignore: decorator
@inline
export function highKey(at: usize, length: usize): u64 {
  return (load<u64>(at, 8) & load<u64>(LENGTH_MASKS + (length << 4), 8)) | ((length as u64) << 56);
}

// @ts-ignore: decorator
@inline
export function hashOf(low: u64, high: u64): u64 {
  return low * HASH_LOW + high * HASH_HIGH;
}

/** A hash whose bits do not depend on those that `hash` chose a slot of the first memo by. */
// @ts-ignore: decorator
@inline
export function mixedHash(hash: u64): u64 {
  return (hash ^ (hash >> 32)) * HASH_LINE;
}

/** Address of the slot of the token with this key, 0 if there is none. */
export function tokenSlot(low: u64, high: u64, mixed: u64): usize {
  const bit = (mixed >> (64 - VOCABULARY_FILTER_BITS)) as usize;
  if (((load<u8>(VOCABULARY_FILTER + (bit >> 3)) >> ((bit & 7) as u8)) & 1) == 0) return 0;
  let line = (mixed >> (64 - VOCABULARY_LINE_BITS)) as usize;
  while (true) {
    const base = VOCABULARY + (line << 6);
    for (let slot = base; slot < base + 64; slot += 16)
      if (((load<u64>(slot) ^ low) | ((load<u64>(slot, 8) ^ high) & ~COUNT_BITS)) == 0) return slot;
    // The first slot says whether a token of this line had to go to the next.
    if (load<i8>(base, 15) >= 0) return 0;
    line = (line + 1) & ((1 << (VOCABULARY_LINE_BITS as usize)) - 1);
  }
}

/** Id of the token that these 1 to 15 bytes are, or NONE. */
export function tokenAt(at: usize, length: usize): u32 {
  if (length == 1) return byteAt(at);
  if (length == 2) return mergedBytes(at);
  const low = lowKey(at, length);
  const high = highKey(at, length);
  const slot = tokenSlot(low, high, mixedHash(hashOf(low, high)));
  return slot == 0 ? NONE : load<u32>(VOCABULARY_IDS + ((slot - VOCABULARY) >> 2));
}
