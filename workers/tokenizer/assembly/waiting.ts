// Small pieces that the first memo does not know wait until there are some. Then they are looked up and merged side by
// side: a piece waits for memory at every step of its way, and others are on theirs meanwhile.

import { VOCABULARY_FILTER, VOCABULARY_FILTER_BITS, WAITING, WAITING_NEW } from "./layout";
import { countKnown, countUnmerged, rememberSecond, secondLine } from "./memo";
import { beginMerge, finishMerges, mergedTokens } from "./merge-side-by-side";
import { region } from "./region";
import { mixedHash } from "./vocabulary";

/** So many are counted together, or a few more: a block adds up to 31. */
export const WAITING_PIECES: i32 = 32;
/** Most tokens that one of them can have. */
export const WAITING_TOKENS: i32 = 15;

/** An entry: both halves of the key, the hash; address and length; the mixed hash. */
const ENTRY_BITS: usize = 6;

/** Where the first entry stands. */
// @ts-ignore: decorator
@inline
export function waitingStart(): usize {
  return region + WAITING;
}

/** Pieces that wait when the next entry is to stand at `entry`. */
// @ts-ignore: decorator
@inline
export function waitingPieces(entry: usize): i32 {
  return ((entry - waitingStart()) >> ENTRY_BITS) as i32;
}

/** Writes an entry; returns where the next is to stand. */
// @ts-ignore: decorator
@inline
export function wait(entry: usize, at: usize, length: usize, low: u64, high: u64, hash: u64): usize {
  store<u64>(entry, low);
  store<u64>(entry, high, 8);
  store<u64>(entry, hash, 16);
  store<u32>(entry, at as u32, 24);
  store<u32>(entry, length as u32, 28);
  return entry + (1 << ENTRY_BITS);
}

/** Token count of the pieces that wait; `end` is where their entries end. */
export function countWaiting(end: usize): i32 {
  const first = waitingStart();
  for (let entry = first; entry < end; entry += 1 << ENTRY_BITS) {
    const mixed = mixedHash(load<u64>(entry, 16));
    store<u64>(entry, mixed, 32);
    // Loads that nobody reads: they bring near what the next loop looks at.
    load<u64>(secondLine(mixed));
    load<u8>(VOCABULARY_FILTER + ((mixed >> (64 - VOCABULARY_FILTER_BITS + 3)) as usize));
  }
  let total = 0;
  let merges = 0;
  for (let entry = first; entry < end; entry += 1 << ENTRY_BITS) {
    const low = load<u64>(entry);
    const high = load<u64>(entry, 8);
    const mixed = load<u64>(entry, 32);
    let count = countKnown(low, high, load<u64>(entry, 16), mixed);
    if (count == 0) {
      const at = load<u32>(entry, 24) as usize;
      const length = load<u32>(entry, 28) as i32;
      count = countUnmerged(at, length);
      if (count == 0) {
        beginMerge(merges, at, length);
        store<u32>(region + WAITING_NEW + ((merges as usize) << 2), entry as u32);
        merges++;
      } else {
        rememberSecond(low, high, mixed, count);
      }
    }
    total += count;
  }
  finishMerges(merges);
  for (let i = 0; i < merges; i++) {
    const entry = load<u32>(region + WAITING_NEW + ((i as usize) << 2)) as usize;
    const count = mergedTokens(i);
    rememberSecond(load<u64>(entry), load<u64>(entry, 8), load<u64>(entry, 32), count);
    total += count;
  }
  return total;
}
