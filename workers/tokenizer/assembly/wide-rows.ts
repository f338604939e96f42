// Rows of characters outside ASCII in long pieces, segment by segment.

import { mergeShort, SHORT_BYTES } from "./merge";
import { NONE, byteAt, mergedBytes } from "./pairs";
import { beginSegments, isBroken, lengthOf, nextSegment, segmentEnd, segmentToken } from "./segments";
import { dropTo, push, pushShort, stackedTokens } from "./stack";

/** Longest window that is looked at at once. */
const WINDOW_BYTES: i32 = 512;

/** Length of a window of whole characters; 0 if not even the first is. */
export function wholeCharacters(start: usize, rest: i32): i32 {
  const length = min(rest, WINDOW_BYTES);
  let last = length - 1;
  while (last > 0 && length - last < 4 && (load<u8>(start + (last as usize)) & 0xc0) == 0x80) last--;
  return last + (lengthOf(load<u8>(start + (last as usize))) as i32) > length ? last : length;
}

/** Pushes the two or three tokens of a character of two or three bytes that is no token. */
function pushBroken(at: usize): void {
  if (load<u8>(at) < 0xe0) {
    push(byteAt(at), at + 1);
    push(byteAt(at + 1), at + 2);
    return;
  }
  const front = mergedBytes(at);
  const back = mergedBytes(at + 1);
  if (front != NONE && front <= back) {
    push(front, at + 2);
  } else {
    push(byteAt(at), at + 1);
    if (back != NONE) {
      push(back, at + 3);
      return;
    }
    push(byteAt(at + 1), at + 2);
  }
  push(byteAt(at + 2), at + 3);
}

/** Pushes the tokens of the window segment by segment; false, and nothing is pushed, if one is long. */
export function pushedSegments(start: usize, length: i32): bool {
  const below = stackedTokens;
  const end = start + (length as usize);
  let at = start;
  beginSegments(at);
  while (at < end) {
    nextSegment(at, end);
    const next = segmentEnd;
    if (segmentToken != NONE) {
      push(segmentToken, next);
    } else if (isBroken(at, next - at)) {
      pushBroken(at);
    } else if ((next - at) as i32 <= SHORT_BYTES) {
      mergeShort(at, (next - at) as i32);
      pushShort(at, (next - at) as i32);
    } else {
      dropTo(below);
      return false;
    }
    at = next;
  }
  return true;
}
