// Byte pair merging of windows too wide for registers: minima in two levels.

import { BYTE_IDS, MERGE_IDS, MERGE_KEYS, MERGE_MINIMA, MERGE_NEXT, MERGE_PREVIOUS } from "./layout";
import { NONE, mergedBytes, mergedPair } from "./pairs";
import { region } from "./region";

/** Longest window of mergeWide; its keys have twelve bits for the position. */
export const WIDE_BYTES: i32 = 1024;
/** Keys under one minimum. */
const GROUP: i32 = 32;

// @ts-ignore: decorator
@inline
function putKey(i: i32, rank: u32): void {
  const key: i64 = rank == NONE ? i64.MAX_VALUE : (((rank as u64) << 12) | (i as u64)) as i64;
  store<i64>(region + MERGE_KEYS + ((i as usize) << 3), key);
}

function updateMinimum(group: i32): void {
  const keys = region + MERGE_KEYS + ((group as usize) << 8);
  let least: i64 = i64.MAX_VALUE;
  for (let i: usize = 0; i < 256; i += 8) least = min(least, load<i64>(keys + i));
  store<i64>(region + MERGE_MINIMA + ((group as usize) << 3), least);
}

/** Merges up to WIDE_BYTES bytes. The tokens are linked from 0 by MERGE_NEXT; their ids are at MERGE_IDS. */
export function mergeWide(at: usize, length: i32): void {
  const ids = region + MERGE_IDS;
  const next = region + MERGE_NEXT;
  const previous = region + MERGE_PREVIOUS;
  const groups = (length + GROUP - 1) / GROUP;
  for (let i = 0; i < length; i++) {
    const offset = (i as usize) << 2;
    store<u32>(ids + offset, load<u32>(BYTE_IDS + ((load<u8>(at + (i as usize)) as usize) << 2)));
    store<i32>(next + offset, i + 1);
    store<i32>(previous + offset, i - 1);
    putKey(i, i + 1 < length ? mergedBytes(at + (i as usize)) : NONE);
  }
  for (let i = length; i < groups * GROUP; i++) putKey(i, NONE);
  for (let group = 0; group < groups; group++) updateMinimum(group);
  const minima = region + MERGE_MINIMA;
  while (true) {
    let best: i64 = i64.MAX_VALUE;
    for (let group = 0; group < groups; group++) best = min(best, load<i64>(minima + ((group as usize) << 3)));
    if (best == i64.MAX_VALUE) return;
    const i = (best & 4095) as i32;
    const id = (best >> 12) as u32;
    const absorbed = load<i32>(next + ((i as usize) << 2));
    const following = load<i32>(next + ((absorbed as usize) << 2));
    store<u32>(ids + ((i as usize) << 2), id);
    store<i32>(next + ((i as usize) << 2), following);
    putKey(absorbed, NONE);
    if (following < length) {
      store<i32>(previous + ((following as usize) << 2), i);
      putKey(i, mergedPair(id, load<u32>(ids + ((following as usize) << 2))));
    } else {
      putKey(i, NONE);
    }
    const before = load<i32>(previous + ((i as usize) << 2));
    if (before >= 0) putKey(before, mergedPair(load<u32>(ids + ((before as usize) << 2)), id));
    updateMinimum(i / GROUP);
    if (absorbed / GROUP != i / GROUP) updateMinimum(absorbed / GROUP);
    if (before >= 0 && before / GROUP != i / GROUP) updateMinimum(before / GROUP);
  }
}
