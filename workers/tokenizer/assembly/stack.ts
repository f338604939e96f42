// The stack of tokens of a long piece: the encoding of its bytes from the start to the end of the last token. The
// lowest tokens leave it when nothing that comes later can change them.

import { CHAIN_BYTES, MERGE_IDS, MERGE_KEYS, STACK_ENDS, STACK_TOKENS } from "./layout";
import { tokenStarts, unitOffset } from "./merge";
import { NONE } from "./pairs";
import { region } from "./region";
import { tokenAt } from "./vocabulary";

const STACK_CAPACITY: i32 = 4096;
/** Most tokens that are pushed between two calls of `makeRoom`. */
const MOST_PUSHED: i32 = 1024;
/** Bytes whose tokens stay on the stack when the others settle: enough for takeBack, whose tokens have up to 128. */
const KEPT_BYTES: usize = CHAIN_BYTES + 512;
/** A token on the stack whose id nobody has asked for; such tokens have at most 15 bytes. */
export const UNNAMED: u32 = NONE - 1;

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

/** The token with this index on the stack; -1 is the one under the stack. */
// @ts-ignore: decorator
@inline
export function stackedToken(index: i32): u32 {
  if (index < 0) return settledToken;
  const token = load<u32>(region + STACK_TOKENS + ((index as usize) << 2));
  return token == UNNAMED ? tokenAt(stackedEnd(index - 1), stackedEnd(index) - stackedEnd(index - 1)) : token;
}

/** Where the token with this index on the stack ends; -1 is the one under the stack. */
export function stackedEnd(index: i32): usize {
  return index < 0 ? settledEnd : (load<u32>(region + STACK_ENDS + ((index as usize) << 2)) as usize);
}

// @ts-ignore: decorator
@inline
export function push(token: u32, end: usize): void {
  store<u32>(region + STACK_TOKENS + ((stackedTokens as usize) << 2), token);
  store<u32>(region + STACK_ENDS + ((stackedTokens as usize) << 2), end as u32);
  stackedTokens++;
}

/** Makes room for the tokens of another window. */
// @ts-ignore: decorator
@inline
export function makeRoom(): void {
  if (stackedTokens > STACK_CAPACITY - MOST_PUSHED) settle();
}

/** Drops tokens from the top until `count` are left. */
// @ts-ignore: decorator
@inline
export function dropTo(count: i32): void {
  stackedTokens = count;
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

/**
 * Pushes the tokens of `length` bytes from `start` on. The byte at n of `lastBytes` is the length of the last token of
 * the first n bytes.
 */
export function pushUnnamed(start: usize, length: i32, lastBytes: usize): void {
  // From the back, so that they are put in order when their number is known.
  const scratchEnd = region + MERGE_KEYS + ((length as usize) << 2);
  let at = scratchEnd;
  for (let end = length; end > 0; end -= load<u8>(lastBytes + (end as usize)) as i32) {
    at -= 4;
    store<u32>(at, (start + (end as usize)) as u32);
  }
  const top = (stackedTokens as usize) << 2;
  memory.copy(region + STACK_ENDS + top, at, scratchEnd - at);
  const unnamed = i32x4.splat(UNNAMED);
  for (let i: usize = 0; i < scratchEnd - at; i += 16) v128.store(region + STACK_TOKENS + top + i, unnamed);
  stackedTokens += ((scratchEnd - at) >> 2) as i32;
}

/** Pushes the tokens of the window that mergeShort has just merged. */
export function pushShort(start: usize, length: i32): void {
  let starts = tokenStarts;
  while (starts != 0) {
    const i = ctz(starts) as usize;
    starts &= starts - 1;
    push(load<u32>(region + MERGE_IDS + (i << 2)), start + (starts != 0 ? unitOffset(ctz(starts) as usize) : (length as usize)));
  }
}
