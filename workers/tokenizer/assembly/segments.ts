// Pieces outside ASCII fall apart between characters that no merge joins.
//
// The first token that spans the border between characters x and y is the merge of one that ends with x, or with
// a part of x, and one that begins with y, or with a part of y. JOIN_FILTER knows all x and y that merges join as
// wholes; parts cannot be joined if the characters form for certain (see merge.ts). Where no merge spans a
// border, the text on both sides is encoded by itself: most borders in Chinese and many in other scripts.

import { CHARACTER_IDS, HASH_PAIR, JOIN_FILTER, JOIN_FILTER_BITS, LEFT_BOUNDS, RIGHT_BOUNDS } from "./layout";
import { NONE } from "./pairs";

/** Bytes of the character that begins with `lead`. */
// @ts-ignore: decorator
@inline
export function lengthOf(lead: u32): u32 {
  return 1 + ((lead >= 0xc0) as u32) + ((lead >= 0xe0) as u32) + ((lead >= 0xf0) as u32);
}

/** First byte of the character behind the segment last found by `nextSegment`. */
export let segmentEnd: usize = 0;
/** Its token if the segment is one character that is a token, else NONE. */
export let segmentToken: u32 = NONE;

// @ts-ignore: decorator
@inline
function isJoined(left: u32, right: u32): bool {
  const bit = ((((left as u64) << 32) | (right as u64)) * HASH_PAIR) >> (64 - JOIN_FILTER_BITS);
  return ((load<u8>(JOIN_FILTER + ((bit >> 3) as usize)) >> ((bit & 7) as u8)) & 1) != 0;
}

/** The character last read: its length, its bytes as a number, and its token if it has one and two or three bytes. */
let length: u32 = 0;
let bytes: u32 = 0;
let token: u32 = NONE;

// @ts-ignore: decorator
@inline
function readCharacter(at: usize): void {
  const four = load<u32>(at);
  const lead = four & 0xff;
  // Branches, since the next character is found the sooner where the length of this one is foreseen.
  if (lead < 0xc0) {
    length = 1;
    bytes = lead;
    token = NONE;
  } else if (lead < 0xe0) {
    length = 2;
    bytes = four & 0xffff;
    token = load<u32>(CHARACTER_IDS + (((((four & 31) << 6) | ((four >> 8) & 63)) as usize) << 2));
  } else if (lead < 0xf0) {
    length = 3;
    bytes = four & 0xffffff;
    token = load<u32>(CHARACTER_IDS + (((((four & 15) << 12) | ((four >> 2) & 0xfc0) | ((four >> 16) & 63)) as usize) << 2));
  } else {
    length = 4;
    bytes = four;
    token = NONE;
  }
}

/** Begins at the character at `at`. */
export function beginSegments(at: usize): void {
  readCharacter(at);
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
    readCharacter(here);
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

/** Whether a segment that is no token is one character of two or three bytes. */
// @ts-ignore: decorator
@inline
export function isBroken(at: usize, length: usize): bool {
  return length == 2 ? load<u8>(at) >= 0xc0 : length == 3 && load<u8>(at) >= 0xe0;
}
