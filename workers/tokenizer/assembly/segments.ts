// Pieces outside ASCII fall apart between characters that no merge joins.
//
// The first token that spans the border between characters x and y is the merge of one that ends with x, or with
// a part of x, and one that begins with y, or with a part of y. JOIN_FILTER knows all x and y that merges join as
// wholes; parts cannot be joined if the characters form for certain (see merge.ts). Where no merge spans a
// border, the text on both sides is encoded by itself: most borders in Chinese and many in other scripts.

import { CHARACTER_IDS, HASH_PAIR, JOIN_FILTER, JOIN_FILTER_BITS, LEFT_BOUNDS, RIGHT_BOUNDS } from "./layout";
import { NONE } from "./pairs";

/** First byte of the character behind the segment last found by `nextSegment`. */
export let segmentEnd: usize = 0;
/** Its token if the segment is one character that is a token, else NONE. */
export let segmentToken: u32 = NONE;

/** The character whose first byte is `lead`, as a number of its bytes. */
// @ts-ignore: decorator
@inline
function bytesOf(at: usize, length: u32): u32 {
  return load<u32>(at) & (u32.MAX_VALUE >> (32 - (length << 3)));
}

/** Bytes of the character that begins with `lead`. */
// @ts-ignore: decorator
@inline
export function lengthOf(lead: u32): u32 {
  return 1 + ((lead >= 0xc0) as u32) + ((lead >= 0xe0) as u32) + ((lead >= 0xf0) as u32);
}

/** Token of the character with these bytes, NONE for those of four bytes and of one: the latter form anyway. */
// @ts-ignore: decorator
@inline
function tokenOf(bytes: u32, length: u32): u32 {
  if (length == 3) {
    const point = ((bytes & 15) << 12) | ((bytes >> 2) & 0xfc0) | ((bytes >> 16) & 63);
    return load<u32>(CHARACTER_IDS + ((point as usize) << 2));
  }
  if (length == 2) return load<u32>(CHARACTER_IDS + (((((bytes & 31) << 6) | ((bytes >> 8) & 63)) as usize) << 2));
  return NONE;
}

// @ts-ignore: decorator
@inline
function isJoined(left: u32, right: u32): bool {
  const bit = ((((left as u64) << 32) | (right as u64)) * HASH_PAIR) >> (64 - JOIN_FILTER_BITS);
  return ((load<u8>(JOIN_FILTER + ((bit >> 3) as usize)) >> ((bit & 7) as u8)) & 1) != 0;
}

/** The character that the next segment begins with: its length, its bytes and its token. */
let length: u32 = 0;
let bytes: u32 = 0;
let token: u32 = NONE;

/** Begins at the character at `at`. */
export function beginSegments(at: usize): void {
  length = lengthOf(load<u8>(at));
  bytes = bytesOf(at, length);
  token = tokenOf(bytes, length);
}

/**
 * Finds the end of the segment at `at`, which is the end of the last one, at the latest `end`; nothing behind `end` is
 * looked at.
 */
export function nextSegment(at: usize, end: usize): void {
  let lastLength = length;
  let lastBytes = bytes;
  let lastToken = token;
  const firstToken = lastToken;
  const firstEnd = at + (lastLength as usize);
  // Behind a border nothing joins; so the first character has no bound on the left.
  let leftBound = NONE;
  let here = firstEnd;
  while (here < end) {
    length = lengthOf(load<u8>(here));
    bytes = bytesOf(here, length);
    token = tokenOf(bytes, length);
    const behind = here + (length as usize);
    const border = (load<u16>(here - 1) as usize) << 2;
    const left = load<u32>(LEFT_BOUNDS + border);
    const right = load<u32>(RIGHT_BOUNDS + border);
    if (!isJoined(lastBytes, bytes)) {
      const isWhole = lastLength == 1 || lastToken < min(leftBound, right);
      if (isWhole || right == NONE) {
        const boundBehind = behind < end ? load<u32>(RIGHT_BOUNDS + ((load<u16>(behind - 1) as usize) << 2)) : NONE;
        const isNextWhole = length == 1 || token < min(left, boundBehind);
        if (isNextWhole || left == NONE) break;
      }
    }
    leftBound = left;
    lastLength = length;
    lastBytes = bytes;
    lastToken = token;
    here = behind;
  }
  // Bytes of no character may end early.
  segmentEnd = min(here, end);
  segmentToken = here == firstEnd ? firstToken : NONE;
}
