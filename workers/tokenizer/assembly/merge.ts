// Byte pair merging of pieces that no memo knows.

import {
  BYTE_IDS, CHARACTER_IDS, LEFT_BOUNDS, MERGE_IDS, MERGE_KEYS, MERGE_OFFSETS, RIGHT_BOUNDS,
} from "./layout";
import { NONE, mergedBytes, mergedPair } from "./pairs";
import { region } from "./region";

/** Longest piece for mergeShort. */
export const SHORT_BYTES: i32 = 64;

/** Bit i is set if a token begins at byte i of the piece last merged by mergeShort. */
export let tokenStarts: u64 = 0;

/** Greater than every key. */
export const NO_KEY: i32 = 0x7fffffff;

/** Rank and position in one number, so that the minimum is the leftmost of the lowest rank. */
// @ts-ignore: decorator
@inline
export function keyOf(rank: u32, at: i32): i32 {
  return rank == NONE ? NO_KEY : ((rank << 6) | (at as u32)) as i32;
}

/**
 * The token that the character at `at` forms whatever stands around it, or NONE: its rank is below all merges
 * that could join a part of it to the byte before or behind.
 */
// @ts-ignore: decorator
@inline
function certainCharacter(at: usize, length: i32, first: usize, end: usize): u32 {
  const lead = load<u8>(at) as i32;
  const point = length == 2
    ? ((lead & 31) << 6) | ((load<u8>(at, 1) & 63) as i32)
    : ((lead & 15) << 12) | (((load<u8>(at, 1) & 63) as i32) << 6) | ((load<u8>(at, 2) & 63) as i32);
  const id = load<u32>(CHARACTER_IDS + ((point as usize) << 2));
  if (id == NONE) return NONE;
  if (at > first && load<u32>(LEFT_BOUNDS + ((load<u16>(at - 1) as usize) << 2)) <= id) return NONE;
  const behind = at + (length as usize);
  if (behind < end && load<u32>(RIGHT_BOUNDS + ((load<u16>(behind - 1) as usize) << 2)) <= id) return NONE;
  return id;
}

/** The token that the ASCII byte at `at` forms with the next one, whatever stands around them, or NONE. */
// @ts-ignore: decorator
@inline
function certainPair(at: usize, first: usize, end: usize): u32 {
  const behind = at + 2;
  if (behind > end) return NONE;
  const id = mergedBytes(at);
  if (id == NONE || load<i8>(at, 1) < 0) return NONE;
  if (at > first && load<u32>(LEFT_BOUNDS + ((load<u16>(at - 1) as usize) << 2)) <= id) return NONE;
  if (behind < end && load<u32>(RIGHT_BOUNDS + ((load<u16>(behind - 1) as usize) << 2)) <= id) return NONE;
  return id;
}

/**
 * Puts characters and pairs of ASCII bytes that form for certain, else bytes, as the units to merge, and the
 * keys of their neighbours, at `keys`, `ids` and `offsets`; returns their number.
 */
export function putUnits(first: usize, length: i32, keys: usize, ids: usize, offsets: usize): i32 {
  const end = first + (length as usize);
  let at = first;
  let count = 0;
  // Bytes of a character that does not form for certain.
  let loose = 0;
  while (at < end) {
    const byte = load<u8>(at) as i32;
    let id: u32 = NONE;
    let unitBytes = 1;
    if (loose > 0) {
      loose--;
    } else if (byte < 0x80) {
      id = certainPair(at, first, end);
      if (id != NONE) unitBytes = 2;
    } else if (byte >= 0xc2) {
      const characterBytes = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
      if (characterBytes < 4 && at + (characterBytes as usize) <= end) {
        id = certainCharacter(at, characterBytes, first, end);
        if (id != NONE) unitBytes = characterBytes;
      }
      if (id == NONE) loose = characterBytes - 1;
    }
    if (id == NONE) id = load<u32>(BYTE_IDS + ((byte as usize) << 2));
    store<u32>(ids + ((count as usize) << 2), id);
    store<u8>(offsets + (count as usize), (at - first) as u8);
    count++;
    at += unitBytes as usize;
  }
  for (let i = 0; i + 1 < count; i++) {
    const left = load<u32>(ids + ((i as usize) << 2));
    const right = load<u32>(ids + ((i as usize) << 2), 4);
    const merged = left < 256 && right < 256
      ? mergedBytes(first + (load<u8>(offsets + (i as usize)) as usize))
      : mergedPair(left, right);
    store<i32>(keys + ((i as usize) << 2), keyOf(merged, i));
  }
  return count;
}

/** Byte offset of the unit at bit `i` of `tokenStarts`. */
// @ts-ignore: decorator
@inline
export function unitOffset(i: usize): usize {
  return load<u8>(region + MERGE_OFFSETS + i) as usize;
}

/**
 * Merges up to 64 bytes; returns the number of tokens and leaves their starts in `tokenStarts`, their ids at
 * MERGE_IDS.
 */
export function mergeShort(at: usize, length: i32): i32 {
  const keys = region + MERGE_KEYS;
  const ids = region + MERGE_IDS;
  const units = putUnits(at, length, keys, ids, region + MERGE_OFFSETS);
  const last = units - 1;
  if (last == 0) {
    tokenStarts = 1;
    return 1;
  }
  if (units <= 8) return mergeEight(units);
  if (units <= 16) return mergeSixteen(units);
  // The vectors are read to their ends.
  const vectorsEnd = keys + ((((last + 3) >> 2) as usize) << 4);
  for (let key = keys + ((last as usize) << 2); key < vectorsEnd; key += 4) store<i32>(key, NO_KEY);
  let alive: u64 = units == 64 ? u64.MAX_VALUE : ((1 as u64) << (units as u64)) - 1;
  while (true) {
    let minima = v128.load(keys);
    for (let vector = keys + 16; vector < vectorsEnd; vector += 16) minima = i32x4.min_s(minima, v128.load(vector));
    minima = i32x4.min_s(minima, i32x4.shuffle(minima, minima, 2, 3, 0, 1));
    minima = i32x4.min_s(minima, i32x4.shuffle(minima, minima, 1, 0, 3, 2));
    const best = i32x4.extract_lane(minima, 0);
    if (best == NO_KEY) break;
    const i = best & 63;
    const id = (best >> 6) as u32;
    const behind = alive & ((-2 as i64 as u64) << (i as u64));
    const absorbed = ctz(behind) as i32;
    const rest = behind & (behind - 1);
    alive ^= (1 as u64) << (absorbed as u64);
    store<u32>(ids + ((i as usize) << 2), id);
    if (absorbed < last) store<i32>(keys + ((absorbed as usize) << 2), NO_KEY);
    if (rest != 0) {
      const next = ctz(rest) as usize;
      store<i32>(keys + ((i as usize) << 2), keyOf(mergedPair(id, load<u32>(ids + (next << 2))), i));
    } else {
      store<i32>(keys + ((i as usize) << 2), NO_KEY);
    }
    const before = alive & (((1 as u64) << (i as u64)) - 1);
    if (before != 0) {
      const previous = 63 - (clz(before) as i32);
      store<i32>(keys + ((previous as usize) << 2), keyOf(mergedPair(load<u32>(ids + ((previous as usize) << 2)), id), previous));
    }
  }
  tokenStarts = alive;
  return popcnt(alive) as i32;
}

/** Puts `key` at lane `i` of the vector whose lanes have the numbers `lanes`. */
// @ts-ignore: decorator
@inline
function withKey(keys: v128, lanes: v128, i: v128, key: v128): v128 {
  return v128.bitselect(key, keys, i32x4.eq(lanes, i));
}

// @ts-ignore: decorator
@inline
function leastLane(keys: v128): i32 {
  const halves = i32x4.min_s(keys, i32x4.shuffle(keys, keys, 2, 3, 0, 1));
  return i32x4.extract_lane(i32x4.min_s(halves, i32x4.shuffle(halves, halves, 1, 0, 3, 2)), 0);
}

/** Key of the unit at `i` with the first unit of `behind`, or NO_KEY. */
// @ts-ignore: decorator
@inline
function keyBehind(ids: usize, i: i32, id: u32, behind: u64): i32 {
  return behind == 0 ? NO_KEY : keyOf(mergedPair(id, load<u32>(ids + ((ctz(behind) as usize) << 2))), i);
}

/** mergeShort with the keys in registers: a vector load behind narrow stores waits for them. */
function mergeEight(units: i32): i32 {
  const ids = region + MERGE_IDS;
  const keys = region + MERGE_KEYS;
  for (let i = units - 1; i < 8; i++) store<i32>(keys + ((i as usize) << 2), NO_KEY);
  const lanes0 = i32x4(0, 1, 2, 3);
  const lanes1 = i32x4(4, 5, 6, 7);
  const none = i32x4.splat(NO_KEY);
  let keys0 = v128.load(keys);
  let keys1 = v128.load(keys, 16);
  let alive: u64 = ((1 as u64) << (units as u64)) - 1;
  while (true) {
    const best = leastLane(i32x4.min_s(keys0, keys1));
    if (best == NO_KEY) break;
    const i = best & 63;
    const id = (best >> 6) as u32;
    const behind = alive & ((-2 as i64 as u64) << (i as u64));
    const absorbed = ctz(behind) as i32;
    alive ^= (1 as u64) << (absorbed as u64);
    store<u32>(ids + ((i as usize) << 2), id);
    const key = i32x4.splat(keyBehind(ids, i, id, behind & (behind - 1)));
    const at = i32x4.splat(i);
    const gone = i32x4.splat(absorbed);
    keys0 = withKey(withKey(keys0, lanes0, at, key), lanes0, gone, none);
    keys1 = withKey(withKey(keys1, lanes1, at, key), lanes1, gone, none);
    const before = alive & (((1 as u64) << (i as u64)) - 1);
    if (before != 0) {
      const previous = 63 - (clz(before) as i32);
      const keyBefore = i32x4.splat(keyOf(mergedPair(load<u32>(ids + ((previous as usize) << 2)), id), previous));
      const place = i32x4.splat(previous);
      keys0 = withKey(keys0, lanes0, place, keyBefore);
      keys1 = withKey(keys1, lanes1, place, keyBefore);
    }
  }
  tokenStarts = alive;
  return popcnt(alive) as i32;
}

function mergeSixteen(units: i32): i32 {
  const ids = region + MERGE_IDS;
  const keys = region + MERGE_KEYS;
  for (let i = units - 1; i < 16; i++) store<i32>(keys + ((i as usize) << 2), NO_KEY);
  const lanes0 = i32x4(0, 1, 2, 3);
  const lanes1 = i32x4(4, 5, 6, 7);
  const lanes2 = i32x4(8, 9, 10, 11);
  const lanes3 = i32x4(12, 13, 14, 15);
  const none = i32x4.splat(NO_KEY);
  let keys0 = v128.load(keys);
  let keys1 = v128.load(keys, 16);
  let keys2 = v128.load(keys, 32);
  let keys3 = v128.load(keys, 48);
  let alive: u64 = ((1 as u64) << (units as u64)) - 1;
  while (true) {
    const best = leastLane(i32x4.min_s(i32x4.min_s(keys0, keys1), i32x4.min_s(keys2, keys3)));
    if (best == NO_KEY) break;
    const i = best & 63;
    const id = (best >> 6) as u32;
    const behind = alive & ((-2 as i64 as u64) << (i as u64));
    const absorbed = ctz(behind) as i32;
    alive ^= (1 as u64) << (absorbed as u64);
    store<u32>(ids + ((i as usize) << 2), id);
    const key = i32x4.splat(keyBehind(ids, i, id, behind & (behind - 1)));
    const at = i32x4.splat(i);
    const gone = i32x4.splat(absorbed);
    keys0 = withKey(withKey(keys0, lanes0, at, key), lanes0, gone, none);
    keys1 = withKey(withKey(keys1, lanes1, at, key), lanes1, gone, none);
    keys2 = withKey(withKey(keys2, lanes2, at, key), lanes2, gone, none);
    keys3 = withKey(withKey(keys3, lanes3, at, key), lanes3, gone, none);
    const before = alive & (((1 as u64) << (i as u64)) - 1);
    if (before != 0) {
      const previous = 63 - (clz(before) as i32);
      const keyBefore = i32x4.splat(keyOf(mergedPair(load<u32>(ids + ((previous as usize) << 2)), id), previous));
      const place = i32x4.splat(previous);
      keys0 = withKey(keys0, lanes0, place, keyBefore);
      keys1 = withKey(keys1, lanes1, place, keyBefore);
      keys2 = withKey(keys2, lanes2, place, keyBefore);
      keys3 = withKey(keys3, lanes3, place, keyBefore);
    }
  }
  tokenStarts = alive;
  return popcnt(alive) as i32;
}
