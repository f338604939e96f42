// New names in camelCase: `getElementById` is one piece in cl100k, and nearly always the tokens of `get`, `Element`,
// `By` and `Id`. That is certain where the tokens on both sides of every border are stable neighbours.

import { MERGE_IDS } from "./layout";
import { mergeShort, tokenStarts } from "./merge";
import { NONE, isStablePair } from "./pairs";
import { region } from "./region";
import { tokenAt } from "./vocabulary";

/** Bits of the bytes among the 32 at `at` that are letters from `first` on. */
// @ts-ignore: decorator
@inline
function lettersFrom(at: usize, first: i32): u32 {
  const base = i8x16.splat(first as i8);
  const most = i8x16.splat(25);
  return (i8x16.bitmask(i8x16.le_u(i8x16.sub(v128.load(at), base), most)) as u32)
    | ((i8x16.bitmask(i8x16.le_u(i8x16.sub(v128.load(at, 16), base), most)) as u32) << 16);
}

/** Token count of a piece of up to 30 bytes by its parts; 0 if it has no parts or they do not stand apart. */
export function countParts(at: usize, length: i32): i32 {
  const inside = ((1 as u32) << (length as u32)) - 1;
  let borders = (lettersFrom(at, 0x61) << 1) & lettersFrom(at, 0x41) & inside;
  if (borders == 0) return 0;
  let total = 0;
  let before = NONE;
  let start: i32 = 0;
  while (start < length) {
    const end = borders == 0 ? length : (ctz(borders) as i32);
    borders &= borders - 1;
    const part = at + (start as usize);
    const bytes = end - start;
    let first = bytes <= 15 ? tokenAt(part, bytes as usize) : NONE;
    let last = first;
    let count = 1;
    if (first == NONE) {
      count = mergeShort(part, bytes);
      first = load<u32>(region + MERGE_IDS);
      last = load<u32>(region + MERGE_IDS + ((63 - (clz(tokenStarts) as usize)) << 2));
    }
    if (before != NONE && !isStablePair(before, first)) return 0;
    total += count;
    before = last;
    start = end;
  }
  return total;
}
