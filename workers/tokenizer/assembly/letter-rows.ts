// What tables say of the tokens in a row of small letters.
//
// What hangs on letters alone is read off for all prefixes at once: what their last four may end in. What hangs on the
// tokens before is asked as it is needed: a bit tells whether two tokens of known lengths stand side by side stably.

import {
  ROW_BEFORE_FOURS, ROW_BITS, ROW_FOUR_NUMBERS, ROW_LENGTHS, ROW_LETTERS, ROW_THREES, ROW_THREE_IDS, ROW_THREE_THREE, ROW_THREE_TWO,
  ROW_TWO_THREE, ROW_TWOS,
} from "./layout";
import { NONE } from "./pairs";
import { region } from "./region";
import { IS_LONG } from "./rows";

/** Numbers of two letters, and of tokens of three. */
const TWOS: usize = 676;
const THREES: usize = 4096;
/** In a row of a token of four: all two letters, then the letters. */
const ROW_OF_FOUR: usize = 704;

/** What the table says of the last four letters of every prefix, from four letters on. */
export function readLetters(at: usize, length: i32): void {
  const twos = region + ROW_TWOS;
  const a = i8x16.splat(0x61);
  const letters = i16x8.splat(26);
  // The letter before the first is none; whoever asks for two letters has them in the row.
  for (let i: usize = 0; i < (length as usize); i += 16) {
    const last = i8x16.sub(v128.load(at + i), a);
    const before = i8x16.sub(v128.load(at + i - 1), a);
    v128.store(twos + 2 * i, i16x8.add(i16x8.mul(i16x8.extend_low_i8x16_u(before), letters), i16x8.extend_low_i8x16_u(last)), 2);
    v128.store(twos + 2 * i, i16x8.add(i16x8.mul(i16x8.extend_high_i8x16_u(before), letters), i16x8.extend_high_i8x16_u(last)), 18);
  }
  const bits = region + ROW_BITS;
  const fourth = i32x4.splat(TWOS as i32);
  for (let end: usize = 4; end <= (length as usize); end += 4) {
    const first = v128.load16x4_u(twos + ((end - 2) << 1));
    const fours = i32x4.add(i32x4.mul(first, fourth), v128.load16x4_u(twos + (end << 1)));
    store<u8>(bits + end, load<u8>(ROW_LETTERS + (i32x4.extract_lane(fours, 0) as usize)));
    store<u8>(bits + end, load<u8>(ROW_LETTERS + (i32x4.extract_lane(fours, 1) as usize)), 1);
    store<u8>(bits + end, load<u8>(ROW_LETTERS + (i32x4.extract_lane(fours, 2) as usize)), 2);
    store<u8>(bits + end, load<u8>(ROW_LETTERS + (i32x4.extract_lane(fours, 3) as usize)), 3);
  }
}

/** The two letters before `end` as one number. */
// @ts-ignore: decorator
@inline
function twoAt(end: usize): usize {
  return load<u16>(region + ROW_TWOS + (end << 1)) as usize;
}

/** The letter before `end`. */
// @ts-ignore: decorator
@inline
function letterAt(end: usize): usize {
  return twoAt(end) % 26;
}

/** Number of the token of the three letters before `end`, 0 if there is none. */
// @ts-ignore: decorator
@inline
function threeAt(end: usize): usize {
  return load<u16>(ROW_THREES + ((twoAt(end - 1) * 26 + letterAt(end)) << 1)) as usize;
}

/** Number of the token of the four letters before `end`, 0 if there is none. */
// @ts-ignore: decorator
@inline
function fourAt(end: usize): usize {
  return load<u16>(ROW_FOUR_NUMBERS + ((twoAt(end - 2) * TWOS + twoAt(end)) << 1)) as usize;
}

// @ts-ignore: decorator
@inline
function tokenBytes(end: usize): u32 {
  return load<u8>(region + ROW_LENGTHS + end) as u32;
}

// @ts-ignore: decorator
@inline
function bitOf(table: usize, bit: usize): u32 {
  return ((load<u8>(table + (bit >> 3)) as u32) >> ((bit & 7) as u32)) & 1;
}

/** Length of the last token before `end`, from 5 on, if tables know it; else 0. */
export function lastOfLetters(at: i32): i32 {
  const end = at as usize;
  const three = threeAt(end);
  const byTwo = tokenBytes(end - 2);
  const byThree = tokenBytes(end - 3);
  if (byThree == 2 && bitOf(ROW_TWO_THREE, three * TWOS + twoAt(end - 3)) != 0) return 3;
  if (byTwo == 3 && bitOf(ROW_THREE_TWO, threeAt(end - 2) * TWOS + twoAt(end)) != 0) return 2;
  const isLong = (load<u8>(region + ROW_BITS + end) & IS_LONG) != 0;
  if (isLong) {
    const four = lastOfFour(end);
    if (four != 0) return four;
  }
  // One must stand there, behind a longer token than those that were asked for.
  const maybeOne = tokenBytes(end - 1) > 3;
  const maybeTwo = byTwo > 3;
  const maybeThree = three != 0 && byThree > 2;
  if (!isLong && (maybeOne as i32) + (maybeTwo as i32) + (maybeThree as i32) == 1) return maybeThree ? 3 : maybeTwo ? 2 : 1;
  return byThree == 3 && bitOf(ROW_THREE_THREE, threeAt(end - 3) * THREES + three) != 0 ? 3 : 0;
}

/** Whether the tables have denied a token of `length` behind one of `before` letters. */
export function isDenied(before: i32, length: i32): bool {
  return length == 4 ? before < 3 : length < 4 && before < 4;
}

/** 4 if that is a token which stands stably behind a token of one or two letters, else 0. */
function lastOfFour(end: usize): i32 {
  const before = tokenBytes(end - 4);
  if (before > 2) return 0;
  const column = before == 2 ? twoAt(end - 4) : TWOS + letterAt(end - 4);
  return bitOf(ROW_BEFORE_FOURS, fourAt(end) * ROW_OF_FOUR + column) != 0 ? 4 : 0;
}

/** Id of the token of the three letters before `end`, or NONE. */
export function threeId(end: i32): u32 {
  const number = threeAt(end as usize);
  return number == 0 ? NONE : load<u32>(ROW_THREE_IDS + (number << 2));
}
