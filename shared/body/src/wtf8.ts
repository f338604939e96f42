import type { Steps } from '@preflight/core';
import { allocateShared, type SharedBytes } from './shared-bytes.js';

/*
 * WTF-8: UTF-8 in which a surrogate without a partner, as JSON can write it, stands as three bytes of its own, the first
 * one 0xED and the second one 0xA0 or more. U+FFFD, as which it counts, has three bytes too.
 */
const LEAD = 0xed;
const FIRST_SECOND = 0xa0;
const REPLACEMENT = [0xef, 0xbf, 0xbd];

const STEP_BYTES = 256 * 1024;

/** Whether a lone surrogate begins at an offset. */
export function isSurrogate(wtf8: Uint8Array, at: number): boolean {
  return wtf8[at] === LEAD && (wtf8[at + 1] as number) >= FIRST_SECOND;
}

/** The code unit of the lone surrogate at an offset. */
export function surrogateAt(wtf8: Uint8Array, at: number): number {
  return 0xd000 | (((wtf8[at + 1] as number) & 0x3f) << 6) | ((wtf8[at + 2] as number) & 0x3f);
}

/** A copy in which U+FFFD stands for every lone surrogate. */
export function* toWellFormed(wtf8: SharedBytes): Steps<SharedBytes> {
  const copy = allocateShared(wtf8.length);
  for (let start = 0; start < wtf8.length; start += STEP_BYTES) {
    const end = Math.min(start + STEP_BYTES, wtf8.length);
    copy.set(wtf8.subarray(start, end), start);
    // What an earlier step has replaced, its last bytes perhaps, is copied again as it was.
    for (let at = Math.max(0, start - 2); at < end; at += 1)
      if (isSurrogate(wtf8, at)) copy.set(REPLACEMENT, at);
    yield;
  }
  return copy;
}
