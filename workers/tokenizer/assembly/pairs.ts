// Which token do two neighbours merge into? Every token longer than a byte is the merge of exactly one
// pair of tokens, so the rank of joined bytes is the rank of the pair and no byte string is needed.

import {
  BYTE_IDS, BYTE_PAIRS, FREQUENT_PAIRS, FREQUENT_PAIR_SLOT_BITS, HALVES, HASH_PAIR, PAIRS, PAIR_FILTER, PAIR_FILTER_BITS, PAIR_SLOT_BITS,
} from "./layout";

/** Not a token. Larger than every id, and positive as a signed number. */
export const NONE: u32 = 0x7fffffff;

/** Id of the token that `left` and `right` merge into, or NONE. Most pairs are no token: the filter says so from 256 KB. */
// @ts-ignore: decorator
@inline
export function mergedPair(left: u32, right: u32): u32 {
  const key: u64 = ((left as u64) << 18) | (right as u64);
  const hash: u64 = key * HASH_PAIR;
  const bit = (hash >> (64 - PAIR_FILTER_BITS)) as usize;
  if (((load<u8>(PAIR_FILTER + (bit >> 3)) >> ((bit & 7) as u8)) & 1) == 0) return NONE;
  return findPair(key, hash);
}

function findPair(key: u64, hash: u64): u32 {
  let slot = (hash >> (64 - FREQUENT_PAIR_SLOT_BITS)) as usize;
  while (true) {
    const entry = load<u64>(FREQUENT_PAIRS + (slot << 3));
    if (entry >> 18 == key) return (entry & 0x3ffff) as u32;
    if (entry == 0) break;
    slot = (slot + 1) & ((1 << (FREQUENT_PAIR_SLOT_BITS as usize)) - 1);
  }
  slot = (hash >> (64 - PAIR_SLOT_BITS)) as usize;
  while (true) {
    const entry = load<u64>(PAIRS + (slot << 3));
    if (entry >> 18 == key) return (entry & 0x3ffff) as u32;
    if (entry == 0) return NONE;
    slot = (slot + 1) & ((1 << (PAIR_SLOT_BITS as usize)) - 1);
  }
}

/** Id of the token of one byte. */
// @ts-ignore: decorator
@inline
export function byteAt(at: usize): u32 {
  return load<u32>(BYTE_IDS + ((load<u8>(at) as usize) << 2));
}

/** Id of the token of two bytes, or NONE. */
// @ts-ignore: decorator
@inline
export function mergedBytes(at: usize): u32 {
  return load<u32>(BYTE_PAIRS + ((load<u16>(at) as usize) << 2));
}

/**
 * Whether the tokens stay apart when they stand side by side: a sequence of tokens is the encoding of its
 * bytes exactly if every neighbouring pair does. Walks the merges of both sides backwards, the latest first.
 */
export function isStablePair(left: u32, right: u32): bool {
  let limit: u32 = NONE;
  while (true) {
    if (mergedPair(left, right) < limit) return false;
    if (left > right) {
      if (left < 256) return true;
      limit = left;
      left = load<u32>(HALVES + ((left as usize) << 3) + 4);
    } else {
      if (right < 256) return true;
      limit = right + 1;
      right = load<u32>(HALVES + ((right as usize) << 3));
    }
  }
}
