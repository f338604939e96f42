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

import { CHAIN_BYTES, MERGE_IDS, MERGE_NEXT, STACK_ENDS, STACK_TOKENS, WINDOW_MEMO } from "./layout";
import { SHORT_BYTES, mergeShort, tokenStarts, unitOffset } from "./merge";
import { WIDE_BYTES, mergeWide } from "./merge-wide";
import { NONE, isStablePair } from "./pairs";
import { region } from "./region";

const STACK_CAPACITY: i32 = 4096;
/** Bytes whose tokens stay on the stack when the others settle: enough for takeBack, whose tokens have up to 128. */
const KEPT_BYTES: usize = CHAIN_BYTES + 512;
/** A window of tokens longer than this on average is followed by another wide one. */
const LONG_TOKEN_BYTES: i32 = 8;

/** Tokens that were dropped from the bottom of the stack, so certain. */
export let settledTokens: i32 = 0;
/** Tokens on the stack. */
export let stackedTokens: i32 = 0;
/** The token under the stack, NONE at the start of a piece. */
let settledToken: u32 = NONE;
/** Where the token under the stack ends. */
let settledEnd: usize = 0;

/** The token whose end is asked for, counted from the start of the piece; 0 if none is. */
let wantedTokens: i32 = 0;
/** Where the wanted token ends, once it is settled. */
let wantedEnd: usize = 0;

/** Begins a piece at `at`; `wanted` tells for which of its tokens `endOfWanted` will be asked. */
export function beginRun(at: usize, wanted: i32): void {
  wantedTokens = wanted;
  wantedEnd = 0;
  settledTokens = 0;
  stackedTokens = 0;
  settledToken = NONE;
  settledEnd = at;
}

// @ts-ignore: decorator
@inline
function stackedToken(index: i32): u32 {
  return index < 0 ? settledToken : load<u32>(region + STACK_TOKENS + ((index as usize) << 2));
}

/** Where the token with this index on the stack ends; -1 is the one under the stack. */
export function stackedEnd(index: i32): usize {
  return index < 0 ? settledEnd : (load<u32>(region + STACK_ENDS + ((index as usize) << 2)) as usize);
}

// @ts-ignore: decorator
@inline
function push(token: u32, end: usize): void {
  store<u32>(region + STACK_TOKENS + ((stackedTokens as usize) << 2), token);
  store<u32>(region + STACK_ENDS + ((stackedTokens as usize) << 2), end as u32);
  stackedTokens++;
}

/** Drops the tokens that are certain from the stack. */
export function settle(): void {
  const top = stackedEnd(stackedTokens - 1);
  let dropped = stackedTokens;
  while (dropped > 0 && top - stackedEnd(dropped - 1) < KEPT_BYTES) dropped--;
  if (dropped == 0) return;
  settledToken = stackedToken(dropped - 1);
  settledEnd = stackedEnd(dropped - 1);
  const wanted = wantedTokens - settledTokens - 1;
  if (wanted >= 0 && wanted < dropped) wantedEnd = stackedEnd(wanted);
  const bytes = (dropped as usize) << 2;
  stackedTokens -= dropped;
  settledTokens += dropped;
  memory.copy(region + STACK_TOKENS, region + STACK_TOKENS + bytes, (stackedTokens as usize) << 2);
  memory.copy(region + STACK_ENDS, region + STACK_ENDS + bytes, (stackedTokens as usize) << 2);
}

/** Where the wanted token ends; the run has that many tokens. */
export function endOfWanted(): usize {
  return wantedTokens <= settledTokens ? wantedEnd : stackedEnd(wantedTokens - settledTokens - 1);
}

/** Moves the stack by `distance` bytes, after the text was moved by as much. */
export function moveStack(distance: i32): void {
  settledEnd += distance;
  for (let i = 0; i < stackedTokens; i++) {
    const at = region + STACK_ENDS + ((i as usize) << 2);
    store<u32>(at, load<u32>(at) + distance);
  }
}

/** Pushes the tokens of the window just merged. */
function pushShort(start: usize, length: i32): void {
  let starts = tokenStarts;
  while (starts != 0) {
    const i = ctz(starts) as usize;
    starts &= starts - 1;
    push(load<u32>(region + MERGE_IDS + (i << 2)), start + (starts != 0 ? unitOffset(ctz(starts) as usize) : (length as usize)));
  }
}

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
  forgetWindows();
  let start = stackedEnd(stackedTokens - 1);
  while (start < end) {
    const rest = (end - start) as i32;
    const length = min(window, rest);
    const isLast = length == rest;
    const before = stackedToken(stackedTokens - 1);
    if (!isLast && failures == 0 && pushRemembered(start, length, before)) {
      start = stackedEnd(stackedTokens - 1);
      if (stackedTokens > STACK_CAPACITY - WIDE_BYTES) settle();
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
    if (!isLast && pushed > 1) stackedTokens -= min(2, pushed - 1);
    if (!isLast && failures == 0) rememberWindow(start, length, before, below);
    window = pushed * LONG_TOKEN_BYTES < length ? WIDE_BYTES : 64;
    failures = 0;
    start = stackedEnd(stackedTokens - 1);
    if (stackedTokens > STACK_CAPACITY - WIDE_BYTES) settle();
  }
}

/** Takes tokens back after a window did not join: a few, then more, then as many as can be uncertain. */
function takeBack(start: usize, failures: i32): usize {
  if (stackedTokens == 0 || failures > 3) unreachable();
  const least = failures == 1 ? 2 : 6;
  let taken = 0;
  while (stackedTokens > 0 && (failures < 3 ? taken < least : start - stackedEnd(stackedTokens - 1) < CHAIN_BYTES)) {
    stackedTokens--;
    taken++;
  }
  return stackedEnd(stackedTokens - 1);
}

// --- windows met before in the same run: a run of one letter, of spaces, of a short period ---

/** Entry: address and length of the window, the token before it, number of tokens kept; then the tokens and where they end. */
const ENTRY_BYTES: usize = 0x1000;
const ENTRY_COUNT: i32 = 8;
const ENTRY_TOKENS: i32 = 500;
let nextEntry: i32 = 0;

function forgetWindows(): void {
  for (let i = 0; i < ENTRY_COUNT; i++) store<i32>(region + WINDOW_MEMO + (i as usize) * ENTRY_BYTES, 0, 4);
}

function rememberWindow(start: usize, length: i32, before: u32, below: i32): void {
  const kept = stackedTokens - below;
  if (kept > ENTRY_TOKENS) return;
  const entry = region + WINDOW_MEMO + (nextEntry as usize) * ENTRY_BYTES;
  nextEntry = (nextEntry + 1) & (ENTRY_COUNT - 1);
  store<u32>(entry, start as u32);
  store<i32>(entry, length, 4);
  store<u32>(entry, before, 8);
  store<i32>(entry, kept, 12);
  for (let i = 0; i < kept; i++) {
    store<u32>(entry + 16 + ((i as usize) << 3), stackedToken(below + i));
    store<u32>(entry + 20 + ((i as usize) << 3), (stackedEnd(below + i) - start) as u32);
  }
}

/** Pushes the tokens of an equal window behind an equal token, if one is remembered. */
function pushRemembered(start: usize, length: i32, before: u32): bool {
  for (let i = 0; i < ENTRY_COUNT; i++) {
    const entry = region + WINDOW_MEMO + (i as usize) * ENTRY_BYTES;
    if (load<i32>(entry, 4) != length || load<u32>(entry, 8) != before) continue;
    if (!isEqual(start, load<u32>(entry) as usize, length)) continue;
    const kept = load<i32>(entry, 12);
    for (let token = 0; token < kept; token++) {
      const at = entry + 16 + ((token as usize) << 3);
      push(load<u32>(at), start + (load<u32>(at, 4) as usize));
    }
    return true;
  }
  return false;
}

/** Whether two windows are equal; their length is a multiple of 16. */
function isEqual(a: usize, b: usize, length: i32): bool {
  for (let i: usize = 0; i < (length as usize); i += 16)
    if (v128.any_true(v128.xor(v128.load(a + i), v128.load(b + i)))) return false;
  return true;
}

/** Number of tokens of a piece that is whole in memory. */
export function countRun(at: usize, length: i32): i32 {
  if (length <= SHORT_BYTES) return mergeShort(at, length);
  beginRun(at, 0);
  encodeRun(at + (length as usize));
  return settledTokens + stackedTokens;
}
