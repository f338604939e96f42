// Token counts of pieces that were met before, and of pieces that are a token.
//
// A piece of up to 15 bytes is a 16-byte key: its bytes, zeros, and its length in the low half of the last
// byte; the slot has the token count in the high half. Empty slots have length 0 and equal no key.

import {
  HASH_HIGH, HASH_LINE, HASH_LOW, LENGTH_MASKS, LONG_MEMO, LONG_MEMO_COUNTS, MEMO, SECOND_MEMO, VOCABULARY, VOCABULARY_FILTER,
  VOCABULARY_FILTER_BITS, VOCABULARY_LINE_BITS,
} from "./layout";
import { mergeShort } from "./merge";
import { countRun } from "./runs";
import { region } from "./region";

const COUNT_BITS: u64 = 0xf000000000000000;

/** Token count of a piece of 2 to 15 bytes. */
// @ts-ignore: decorator
@inline
export function countSmall(at: usize, length: usize): i32 {
  const masks = LENGTH_MASKS + (length << 4);
  const low = load<u64>(at) & load<u64>(masks);
  const high = (load<u64>(at, 8) & load<u64>(masks, 8)) | ((length as u64) << 56);
  const hash = low * HASH_LOW + high * HASH_HIGH;
  const slot = region + ((hash >> 48) << 4 as usize);
  const known = load<u64>(slot, MEMO + 8);
  if (((load<u64>(slot, MEMO) ^ low) | ((known ^ high) & ~COUNT_BITS)) == 0) return (known >> 60) as i32;
  return countUnknown(at, length as i32, low, high, hash);
}

/** Not in the first memo: a token, a piece of the second memo, or new. */
function countUnknown(at: usize, length: i32, low: u64, high: u64, hash: u64): i32 {
  const mixed = (hash ^ (hash >> 32)) * HASH_LINE;
  if (isToken(low, high, mixed)) {
    remember(low, high, hash, 1);
    return 1;
  }
  return countSecond(at, length, low, high, hash, mixed);
}

// @ts-ignore: decorator
@inline
function remember(low: u64, high: u64, hash: u64, count: i32): void {
  const slot = region + MEMO + (((hash >> 48) as usize) << 4);
  store<u64>(slot, low);
  store<u64>(slot, high | ((count as u64) << 60), 8);
}

function isToken(low: u64, high: u64, mixed: u64): bool {
  const bit = (mixed >> (64 - VOCABULARY_FILTER_BITS)) as usize;
  if (((load<u8>(VOCABULARY_FILTER + (bit >> 3)) >> ((bit & 7) as u8)) & 1) == 0) return false;
  let line = (mixed >> (64 - VOCABULARY_LINE_BITS)) as usize;
  while (true) {
    const base = VOCABULARY + (line << 6);
    for (let slot = base; slot < base + 64; slot += 16)
      if (((load<u64>(slot) ^ low) | ((load<u64>(slot, 8) ^ high) & ~COUNT_BITS)) == 0) return true;
    // The first slot says whether a token of this line had to go to the next.
    if (load<i8>(base, 15) >= 0) return false;
    line = (line + 1) & ((1 << (VOCABULARY_LINE_BITS as usize)) - 1);
  }
}

const SECOND_LINE_BITS: u64 = 14;

/** A piece enters the first memo when it is met again: most new pieces never are. */
function countSecond(at: usize, length: i32, low: u64, high: u64, hash: u64, mixed: u64): i32 {
  const base = region + SECOND_MEMO + (((mixed >> (64 - SECOND_LINE_BITS)) as usize) << 6);
  for (let slot = base; slot < base + 64; slot += 16) {
    const known = load<u64>(slot, 8);
    if (((load<u64>(slot) ^ low) | ((known ^ high) & ~COUNT_BITS)) == 0) {
      const count = (known >> 60) as i32;
      remember(low, high, hash, count);
      return count;
    }
  }
  const count = mergeShort(at, length);
  // Any of the four may go; bits of the hash that chose neither line nor slot choose.
  const slot = base + (((mixed >> 20) & 3) << 4 as usize);
  store<u64>(slot, low);
  store<u64>(slot, high | ((count as u64) << 60), 8);
  return count;
}

/** Longest piece that is remembered. */
const REMEMBERED_BYTES: usize = 30;

/** Token count of a piece of 16 to 30 bytes: slots of 32 bytes with the length in the last, counts beside. */
export function countMiddle(at: usize, length: usize): i32 {
  const masks = LENGTH_MASKS + ((length - 15) << 4);
  const first = v128.load(at);
  // Bytes 15 to 29, the first of them twice: so lengths 16 to 30 use the masks of 1 to 15.
  const second = v128.and(v128.load(at, 15), v128.load(masks));
  const a = i64x2.extract_lane(first, 0) as u64;
  const b = i64x2.extract_lane(first, 1) as u64;
  const c = i64x2.extract_lane(second, 0) as u64;
  const d = (i64x2.extract_lane(second, 1) as u64) | ((length as u64) << 56);
  const hash = ((a ^ (c << 1)) * HASH_LOW + (b ^ d) * HASH_HIGH) * HASH_LINE;
  const slot = region + LONG_MEMO + (((hash >> 51) as usize) << 5);
  const counts = region + LONG_MEMO_COUNTS + ((hash >> 51) as usize);
  if (((load<u64>(slot) ^ a) | (load<u64>(slot, 8) ^ b) | (load<u64>(slot, 16) ^ c) | (load<u64>(slot, 24) ^ d)) == 0) {
    return load<u8>(counts) as i32;
  }
  const count = countRun(at, length as i32);
  store<u64>(slot, a);
  store<u64>(slot, b, 8);
  store<u64>(slot, c, 16);
  store<u64>(slot, d, 24);
  store<u8>(counts, count as u8);
  return count;
}

/** Token count of any piece. */
// @ts-ignore: decorator
@inline
export function countPiece(at: usize, length: usize): i32 {
  if (length <= 15) return length == 1 ? 1 : countSmall(at, length);
  return countLarge(at, length);
}

/** Token count of a piece of 16 or more bytes. */
export function countLarge(at: usize, length: usize): i32 {
  return length <= REMEMBERED_BYTES ? countMiddle(at, length) : countRun(at, length as i32);
}
