// Token counts of pieces that were met before, and of pieces that are a token. Slots are as in vocabulary.ts, with
// the token count in the high half of the last byte.

import { HASH_HIGH, HASH_LINE, HASH_LOW, LENGTH_MASKS, LONG_MEMO, LONG_MEMO_COUNTS, MEMO, SECOND_MEMO } from "./layout";
import { mergeShort } from "./merge";
import { NONE, mergedBytes } from "./pairs";
import { countParts } from "./parts";
import { HAS_WHOLE_PIECES, IS_CL100K, IS_O200K } from "./pattern";
import { region } from "./region";
import { countRun } from "./runs";
import { beginSegments, isBroken, nextSegment, segmentEnd, segmentToken } from "./segments";
import { COUNT_BITS, hashOf, highKey, lowKey, mixedHash, tokenSlot } from "./vocabulary";
import { isWholePiece } from "./whole-pieces";

/** Token count of a piece of 2 to 15 bytes that is in the first memo, else 0. */
// @ts-ignore: decorator
@inline
export function knownCount(low: u64, high: u64, hash: u64): i32 {
  const slot = region + ((hash >> 48) << 4 as usize);
  const known = load<u64>(slot, MEMO + 8);
  return ((load<u64>(slot, MEMO) ^ low) | ((known ^ high) & ~COUNT_BITS)) == 0 ? (known >> 60) as i32 : 0;
}

/** Token count of a piece of 2 to 15 bytes. In blocks those that are not known wait: see waiting.ts. */
// @ts-ignore: decorator
@inline
function countSmall(at: usize, length: usize): i32 {
  const low = lowKey(at, length);
  const high = highKey(at, length);
  const hash = hashOf(low, high);
  const known = knownCount(low, high, hash);
  return known != 0 ? known : countUnknown(at, length as i32, low, high, hash);
}

/** Not in the first memo: a token, a piece of the second memo, or new. */
function countUnknown(at: usize, length: i32, low: u64, high: u64, hash: u64): i32 {
  const mixed = mixedHash(hash);
  const known = countKnown(low, high, hash, mixed);
  if (known != 0) return known;
  const count = countNew(at, length);
  rememberSecond(low, high, mixed, count);
  return count;
}

/** Token count of a piece that is a token or in the second memo, 0 if it is new. */
export function countKnown(low: u64, high: u64, hash: u64, mixed: u64): i32 {
  const count = tokenSlot(low, high, mixed) != 0 ? 1 : secondCount(low, high, mixed);
  // A piece of several tokens enters the first memo when it is met again: most never are.
  if (count != 0) {
    const slot = region + MEMO + (((hash >> 48) as usize) << 4);
    store<u64>(slot, low);
    store<u64>(slot, high | ((count as u64) << 60), 8);
  }
  return count;
}

const SECOND_LINE_BITS: u64 = 14;

/** The line of the second memo that a piece belongs to. */
// @ts-ignore: decorator
@inline
export function secondLine(mixed: u64): usize {
  return region + SECOND_MEMO + (((mixed >> (64 - SECOND_LINE_BITS)) as usize) << 6);
}

// @ts-ignore: decorator
@inline
function secondCount(low: u64, high: u64, mixed: u64): i32 {
  const base = secondLine(mixed);
  for (let slot = base; slot < base + 64; slot += 16) {
    const known = load<u64>(slot, 8);
    if (((load<u64>(slot) ^ low) | ((known ^ high) & ~COUNT_BITS)) == 0) return (known >> 60) as i32;
  }
  return 0;
}

/** Puts a new piece into the second memo. */
export function rememberSecond(low: u64, high: u64, mixed: u64, count: i32): void {
  // Any of the four may go; bits of the hash that chose neither line nor slot choose.
  const slot = secondLine(mixed) + (((mixed >> 20) & 3) << 4 as usize);
  store<u64>(slot, low);
  store<u64>(slot, high | ((count as u64) << 60), 8);
}

/** Token count of a piece of up to 30 bytes that no memo knows. */
function countNew(at: usize, length: i32): i32 {
  const count = countUnmerged(at, length);
  return count != 0 ? count : mergeShort(at, length);
}

/** The same if the piece is better counted by its parts or segments than merged whole, else 0. */
export function countUnmerged(at: usize, length: i32): i32 {
  if (IS_CL100K) {
    const count = countParts(at, length);
    if (count != 0) return count;
  }
  return length <= 15 && beginsWide(at) ? countSegments(at, length) : 0;
}

/** Whether a small piece is better looked at by segments: in o200k that is so of characters of three bytes. */
// @ts-ignore: decorator
@inline
function beginsWide(at: usize): bool {
  const least: u8 = IS_O200K ? 0xe0 : 0xc0;
  return load<u8>(at) >= least || load<u8>(at, 1) >= least;
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
  const count = hasWide(at) ? countSegments(at, length) : countNew(at, length as i32);
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
  if (HAS_WHOLE_PIECES && isWholePiece(at, length)) return 1;
  if (length <= 15) return length == 1 ? 1 : countSmall(at, length);
  return countLarge(at, length);
}

/** Token count of a piece of 16 or more bytes. */
export function countLarge(at: usize, length: usize): i32 {
  if (length <= REMEMBERED_BYTES) return countMiddle(at, length);
  return hasWide(at) ? countSegments(at, length) : countRun(at, length as i32);
}

/** Whether there are characters outside ASCII among the first 16 bytes. */
// @ts-ignore: decorator
@inline
function hasWide(at: usize): bool {
  return i8x16.bitmask(v128.load(at)) != 0;
}

/** Token count of a character of two or three bytes that is no token. */
// @ts-ignore: decorator
@inline
function brokenCount(at: usize): i32 {
  if (load<u8>(at) < 0xe0) return 2;
  return (mergedBytes(at) & mergedBytes(at + 1)) == NONE ? 3 : 2;
}

/** Token count of a piece of 16 or more bytes by its segments, which memos know better than the whole. */
function countSegments(at: usize, length: usize): i32 {
  const end = at + length;
  let total = 0;
  let start = at;
  beginSegments(at);
  while (start < end) {
    nextSegment(start, end);
    const next = segmentEnd;
    const segment = next - start;
    if (segmentToken != NONE || segment == 1) total++;
    else if (isBroken(start, segment)) total += brokenCount(start);
    else if (segment <= 15) {
      // The memos have been asked about the whole.
      if (segment == length) return mergeShort(start, segment as i32);
      total += countSmall(start, segment);
      // Which may look for segments itself.
      beginSegments(next);
    }
    else {
      total += segment == length || segment > REMEMBERED_BYTES ? countRun(start, segment as i32) : countMiddle(start, segment);
      // Both may look for segments themselves.
      beginSegments(next);
    }
    start = next;
  }
  return total;
}
