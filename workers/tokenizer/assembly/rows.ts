// Long rows of small letters, or of symbols, by an automaton instead of merging.
//
// Of every prefix of a row the length of its last token is wanted; from the end back they give the tokens. The last
// token of a prefix is the one that stands stably behind the last token of what is before it: there is one, and only
// one. For tokens of together up to four characters a table of four characters says which do, and whether longer ones
// may end there. A state is what the three prefixes before end with. So a character costs two look-ups, of which only
// the one in the small table of states waits for the step before; and where all that may stand there but one has been
// denied, that one does. Rows of letters have tables for somewhat longer tokens (letter-rows.ts); what is left is
// compared by ids.

import { ROW_BITS, ROW_CODES, ROW_LENGTHS, ROW_STATES, ROW_SYMBOLS } from "./layout";
import { leading, symbols, within } from "./lanes";
import { isDenied, lastOfLetters, threeId, readLetters } from "./letter-rows";
import { NONE, isStablePair } from "./pairs";
import { region } from "./region";
import { tokenAt } from "./vocabulary";

/** Longest row that is scanned at once. */
export const ROW_BYTES: i32 = 1024;
/** Shortest row that is worth it. */
const LEAST_BYTES: i32 = 32;
/** Longest token that a row is expected to have; more are merged. */
const TOKEN_BYTES: i32 = 8;
const NO_STATE: usize = 0xffff;
/** Bytes of a state in the table, as a power of two. */
const STATE_BITS: i32 = 9;
/** Bit of the tables: the four are a token, or the end of a longer one. */
export const IS_LONG: u8 = 128;
const FOUR_SYMBOLS: u32 = 0xfffff;

/** Whether the row last measured is one of letters. */
let isOfLetters: bool = false;

/** Length of the row at `at`, at most `most`; 0 if it is too short to be worth it. */
export function rowLength(at: usize, most: i32): i32 {
  isOfLetters = leading(within(v128.load(at), 0x61, 0x7a)) != 0;
  let length = 0;
  while (length < most) {
    const bytes = v128.load(at + (length as usize));
    const alike = leading(isOfLetters ? within(bytes, 0x61, 0x7a) : symbols(bytes)) as i32;
    length += alike;
    if (alike < 16) break;
  }
  length = min(length, most);
  return length < LEAST_BYTES ? 0 : length;
}

/** Length of the last token of the first `end` bytes of the row. */
// @ts-ignore: decorator
@inline
export function rowTokenBytes(end: i32): i32 {
  return load<u8>(region + ROW_LENGTHS + (end as usize)) as i32;
}

/** What the table says of the last four characters of every prefix of a row of symbols. */
function readSymbols(at: usize, length: i32): void {
  const bits = region + ROW_BITS;
  let codes: u32 = 0;
  for (let i = 0; i < length; i++) {
    codes = ((codes << 5) | (load<u8>(ROW_CODES + (load<u8>(at + (i as usize)) as usize)) as u32)) & FOUR_SYMBOLS;
    store<u8>(bits + (i as usize), load<u8>(ROW_SYMBOLS + (codes as usize)), 1);
  }
}

/** Finds the lengths of the last tokens of all prefixes; false if longer tokens are needed than expected. */
export function scanRow(at: usize, length: i32): bool {
  if (isOfLetters) readLetters(at, length);
  else readSymbols(at, length);
  const lengths = region + ROW_LENGTHS;
  const bits = region + ROW_BITS;
  let state: usize = 0;
  let slowSteps = 4 + (length >> 3);
  for (let end: i32 = 1; end <= length; end++) {
    const next = end < 4 ? NO_STATE : nextState(state, load<u8>(bits + (end as usize)) as usize);
    if (next != NO_STATE) {
      state = next;
      store<u8>(lengths + (end as usize), (((state >> STATE_BITS) & 3) + 1) as u8);
      continue;
    }
    let last = isOfLetters && end > 4 ? lastOfLetters(end) : 0;
    if (last == 0) {
      // Texts of few different letters have long tokens: merging is as fast.
      if (end > 3 && --slowSteps < 0) return false;
      last = lastToken(at, end);
      if (last == 0) return false;
    }
    store<u8>(lengths + (end as usize), last as u8);
    state = stateAt(end);
  }
  return true;
}

/** States are places in their table. */
// @ts-ignore: decorator
@inline
function nextState(state: usize, bits: usize): usize {
  return load<u16>(ROW_STATES + state + (bits << 1)) as usize;
}

function stateAt(end: i32): usize {
  const first = min(rowTokenBytes(end), 4) - 1;
  const second = end < 2 ? 0 : min(rowTokenBytes(end - 1), 3) - 1;
  const third = end < 3 ? 0 : min(rowTokenBytes(end - 2), 2) - 1;
  return ((first + 4 * second + 12 * third) << STATE_BITS) as usize;
}

/** Length of the last token of the first `end` bytes by comparing ids, 0 if it is longer than expected. */
function lastToken(at: usize, end: i32): i32 {
  const bits = load<u8>(region + ROW_BITS + (end as usize));
  for (let length = 1; length <= min(end, TOKEN_BYTES); length++) {
    if (length == 4 && end >= 4 && (bits & IS_LONG) == 0) return 0;
    const before = length == end ? 0 : rowTokenBytes(end - length);
    if (end >= 4 && before != 0 && (before + length <= 4 || (isOfLetters && isDenied(before, length)))) continue;
    const token = rowToken(at, end, length);
    if (token == NONE) continue;
    if (before == 0 || isStablePair(rowToken(at, end - length, before), token)) return length;
  }
  return 0;
}

/** Id of the token of the last `length` bytes before `end`, or NONE. */
function rowToken(at: usize, end: i32, length: i32): u32 {
  return length == 3 && isOfLetters ? threeId(end) : tokenAt(at + ((end - length) as usize), length as usize);
}
