// Byte pair merging of some small pieces, one step of each in turn: what one of them asks memory for is there when it
// is its turn again.

import { MERGES, MERGES_LEFT } from "./layout";
import { NO_KEY, keyOf, putUnits } from "./merge";
import { mergedPair } from "./pairs";
import { region } from "./region";

/** Of each piece: keys of up to 16 units, their ids, their offsets; which of them are alive. */
const MERGE_BYTES: usize = 160;
const KEYS_BYTES: usize = 64;
const IDS: usize = 64;
const OFFSETS: usize = 128;
const ALIVE: usize = 144;

// @ts-ignore: decorator
@inline
function mergeAt(index: i32): usize {
  return region + MERGES + (index as usize) * MERGE_BYTES;
}

/** Puts the units of a piece of up to 15 bytes as the merge with this number. */
export function beginMerge(index: i32, at: usize, length: i32): void {
  const merge = mergeAt(index);
  const units = putUnits(at, length, merge, merge + IDS, merge + OFFSETS);
  for (let key = merge + ((units - 1) << 2); key < merge + KEYS_BYTES; key += 4) store<i32>(key, NO_KEY);
  store<u32>(merge, (1 << units) - 1, ALIVE);
  store<u32>(region + MERGES_LEFT + ((index as usize) << 2), merge as u32);
}

/** Tokens of the merge with this number. */
export function mergedTokens(index: i32): i32 {
  return popcnt(load<u32>(mergeAt(index), ALIVE)) as i32;
}

/** Merges the first `count` to their ends. */
export function finishMerges(count: i32): void {
  const list = region + MERGES_LEFT;
  let end = list + ((count as usize) << 2);
  while (end > list) {
    let kept = list;
    for (let left = list; left < end; left += 4) {
      const merge = load<u32>(left) as usize;
      store<u32>(kept, merge as u32);
      if (mergeStep(merge)) kept += 4;
    }
    end = kept;
  }
}

/** The next step; false if there is none. A key is as in merge.ts. */
// @ts-ignore: decorator
@inline
function mergeStep(merge: usize): bool {
  let minima = i32x4.min_s(
    i32x4.min_s(v128.load(merge), v128.load(merge, 16)), i32x4.min_s(v128.load(merge, 32), v128.load(merge, 48)),
  );
  minima = i32x4.min_s(minima, i32x4.shuffle(minima, minima, 2, 3, 0, 1));
  minima = i32x4.min_s(minima, i32x4.shuffle(minima, minima, 1, 0, 3, 2));
  const best = i32x4.extract_lane(minima, 0);
  if (best == NO_KEY) return false;
  const ids = merge + IDS;
  const i = best & 63;
  const id = (best >> 6) as u32;
  let alive = load<u32>(merge, ALIVE);
  const behind = alive & ((-2 as u32) << i);
  const rest = behind & (behind - 1);
  const absorbed = ctz(behind) as usize;
  alive ^= behind ^ rest;
  store<u32>(merge, alive, ALIVE);
  store<u32>(ids + ((i as usize) << 2), id);
  store<i32>(merge + (absorbed << 2), NO_KEY);
  const next = rest == 0 ? NO_KEY : keyOf(mergedPair(id, load<u32>(ids + ((ctz(rest) as usize) << 2))), i);
  store<i32>(merge + ((i as usize) << 2), next);
  const before = alive & (((1 as u32) << i) - 1);
  if (before != 0) {
    const previous = 31 - (clz(before) as i32);
    const place = (previous as usize) << 2;
    store<i32>(merge + place, keyOf(mergedPair(load<u32>(ids + place), id), previous));
  }
  return true;
}
