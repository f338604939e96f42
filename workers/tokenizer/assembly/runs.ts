// Long pieces, window by window, in memory that does not grow.
//
// The stack holds tokens that are the encoding of the bytes from the start of the piece to the end of the
// last of them. The next window begins there; it is joined if its first token stands stably behind the last
// one, for a sequence is the encoding of its bytes exactly if every two neighbours are stable. Else some tokens
// are taken back and merged again with the window.
//
// How far back can that reach? What comes later changes a token only through a chain of merges of falling
// rank from the end of the text to it. The generator computes the longest chain that the vocabulary has and
// refuses one that is longer than CHAIN_BYTES (o200k: 292 bytes, cl100k: 270). So tokens that end that far
// before the end are certain, and a window that takes back that much always joins.

import { CHAIN_BYTES, MERGE_IDS, MERGE_NEXT } from "./layout";
import { pushedRow } from "./joined-rows";
import { SHORT_BYTES, mergeShort } from "./merge";
import { WIDE_BYTES, mergeWide } from "./merge-wide";
import { NONE, isStablePair } from "./pairs";
import { region } from "./region";
import { beginRun, dropTo, makeRoom, push, pushShort, settledTokens, stackedEnd, stackedToken, stackedTokens } from "./stack";
import { forgetWindows, pushRemembered, rememberWindow } from "./window-memo";

/** A window of tokens longer than this on average is followed by another wide one. */
const LONG_TOKEN_BYTES: i32 = 8;
/** Shorter pieces are merged without a try as a row. */
const LEAST_ROW_BYTES: usize = 256;
/** Windows that are merged before rows are tried again, at most. */
const MOST_SKIPPED_ROWS: i32 = 255;

/** Pushes the tokens of the window that mergeWide has just merged. */
function pushWide(start: usize, length: i32): void {
  let i = 0;
  while (i < length) {
    const following = load<i32>(region + MERGE_NEXT + ((i as usize) << 2));
    push(load<u32>(region + MERGE_IDS + ((i as usize) << 2)), start + (following as usize));
    i = following;
  }
}

/** Encodes from the end of the stack to `end`, exactly if the piece ends there. */
export function encodeRun(end: usize): void {
  let window = 64;
  let failures = 0;
  let rowsToSkip = end - stackedEnd(stackedTokens - 1) < LEAST_ROW_BYTES ? MOST_SKIPPED_ROWS : 0;
  let skippedRows = 0;
  forgetWindows();
  let start = stackedEnd(stackedTokens - 1);
  while (start < end) {
    const rest = (end - start) as i32;
    const length = min(window, rest);
    const isLast = length == rest;
    const before = stackedToken(stackedTokens - 1);
    if (failures == 0 && rowsToSkip-- <= 0) {
      if (pushedRow(start, rest, before)) {
        rowsToSkip = 0;
        skippedRows = 0;
        start = stackedEnd(stackedTokens - 1);
        makeRoom();
        continue;
      }
      // Some windows without a try: twice as many after each failure.
      skippedRows = min(2 * skippedRows + 1, MOST_SKIPPED_ROWS);
      rowsToSkip = skippedRows;
    }
    if (!isLast && failures == 0 && pushRemembered(start, length, before)) {
      start = stackedEnd(stackedTokens - 1);
      makeRoom();
      continue;
    }
    const isShort = length <= SHORT_BYTES;
    if (isShort) mergeShort(start, length); else mergeWide(start, length);
    if (before != NONE && !isStablePair(before, load<u32>(region + MERGE_IDS))) {
      failures++;
      start = takeBack(start, failures);
      if (failures > 2) window = WIDE_BYTES;
      continue;
    }
    const below = stackedTokens;
    if (isShort) pushShort(start, length); else pushWide(start, length);
    const pushed = stackedTokens - below;
    // The last tokens of a window would often merge on: the next window reads them again.
    if (!isLast && pushed > 1) dropTo(stackedTokens - min(2, pushed - 1));
    if (!isLast && failures == 0) rememberWindow(start, length, before, below);
    window = pushed * LONG_TOKEN_BYTES < length ? WIDE_BYTES : 64;
    failures = 0;
    start = stackedEnd(stackedTokens - 1);
    makeRoom();
  }
}

/** Takes tokens back after a window did not join: a few, then more, then as many as can be uncertain. */
function takeBack(start: usize, failures: i32): usize {
  if (stackedTokens == 0 || failures > 3) unreachable();
  const least = failures == 1 ? 2 : 6;
  let taken = 0;
  while (stackedTokens > 0 && (failures < 3 ? taken < least : start - stackedEnd(stackedTokens - 1) < CHAIN_BYTES)) {
    dropTo(stackedTokens - 1);
    taken++;
  }
  return stackedEnd(stackedTokens - 1);
}

/** Number of tokens of a piece that is whole in memory. */
export function countRun(at: usize, length: i32): i32 {
  if (length <= SHORT_BYTES) return mergeShort(at, length);
  beginRun(at, 0);
  encodeRun(at + (length as usize));
  return settledTokens + stackedTokens;
}
