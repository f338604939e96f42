// Long rows of small letters, or of symbols, by an automaton instead of merging.
//
// Of every prefix of a row the length of its last token is wanted; from the end back they give the tokens. The last
// token of a prefix is the one that stands stably behind the last token of what is before it. For tokens of
// together up to four characters a table of four characters says which do; a state is what the three prefixes
// before end with. So a character costs two look-ups, of which only the one in the small table of states waits for
// the step before. Two and three letters have tables of their own; other tokens are compared by their ids.

import {
  ROW_BEFORE_TRIPLES, ROW_BEHIND_TRIPLES, ROW_CODES, ROW_LENGTHS, ROW_LETTERS, ROW_STATES, ROW_SYMBOLS, ROW_TRIPLES,
  ROW_TRIPLE_IDS,
} from "./layout";
import { leading, symbols, within } from "./lanes";
import { NONE, isStablePair } from "./pairs";
import { region } from "./region";
import { tokenAt } from "./vocabulary";

/** Longest row that is scanned at once. */
export const ROW_BYTES: i32 = 512;
/** Shortest row that is worth it. */
const LEAST_BYTES: i32 = 32;
/** Longest token that a row is expected to have. */
const TOKEN_BYTES: i32 = 8;
const NO_STATE: i32 = 255;
const IS_TOKEN: i32 = 64;
const ROW_MASK: u32 = 0xfffff;

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

/** Codes of two or three letters. */
// @ts-ignore: decorator
@inline
function codesAt(at: usize, length: i32): u32 {
  const letters = load<u32>(at) & 0x1f1f1f1f;
  const two = ((letters & 31) << 5) | ((letters >> 8) & 31);
  return length == 2 ? two : (two << 5) | ((letters >> 16) & 31);
}

/** Finds the lengths of the last tokens of all prefixes; false if longer tokens are needed than expected. */
export function scanRow(at: usize, length: i32): bool {
  return isOfLetters ? scanCodes(at, length, true) : scanCodes(at, length, false);
}

// @ts-ignore: decorator
@inline
function codeAt(at: usize, letters: bool): u32 {
  const byte = load<u8>(at) as u32;
  return letters ? byte & 31 : (load<u8>(ROW_CODES + (byte as usize)) as u32);
}

// @ts-ignore: decorator
@inline
function scanCodes(at: usize, length: i32, letters: bool): bool {
  const lengths = region + ROW_LENGTHS;
  let codes: u32 = 0;
  let state = 0;
  let slowSteps = 4 + (length >> 3);
  for (let end: i32 = 1; end <= length; end++) {
    codes = ((codes << 5) | codeAt(at + (end as usize) - 1, letters)) & ROW_MASK;
    const bits = load<u8>((letters ? ROW_LETTERS : ROW_SYMBOLS) + (codes as usize)) as i32;
    const next = end < 4 ? NO_STATE : (load<u8>(ROW_STATES + (((state << 6) | (bits & 63)) as usize)) as i32);
    if (next != NO_STATE) {
      state = next;
      store<u8>(lengths + (end as usize), ((state & 3) + 1) as u8);
      continue;
    }
    let last = letters ? lastOfFive(at + (end as usize), end) : 0;
    if (last == 0) {
      // Texts of few different letters have long tokens: merging is as fast.
      if (end > 3 && --slowSteps < 0) return false;
      last = lastToken(at, end, bits);
      if (last == 0) return false;
    }
    store<u8>(lengths + (end as usize), last as u8);
    state = stateAt(end);
  }
  return true;
}

function stateAt(end: i32): i32 {
  const first = min(rowTokenBytes(end), 4) - 1;
  const second = end < 2 ? 0 : min(rowTokenBytes(end - 1), 3) - 1;
  const third = end < 3 ? 0 : min(rowTokenBytes(end - 2), 2) - 1;
  return first + 4 * second + 12 * third;
}

// @ts-ignore: decorator
@inline
function isStableTriple(table: usize, triple: usize, pair: usize): bool {
  const codes = codesAt(pair, 2);
  const number = load<u16>(ROW_TRIPLES + ((codesAt(triple, 3) as usize) << 1)) as usize;
  return ((load<u8>(table + (number << 7) + ((codes >> 3) as usize)) >> ((codes & 7) as u8)) & 1) != 0;
}

/** Length of the last token if it and the token before have two and three letters, or three and two; else 0. */
// @ts-ignore: decorator
@inline
function lastOfFive(behind: usize, end: i32): i32 {
  if (end < 5) return 0;
  if (rowTokenBytes(end - 3) == 2 && isStableTriple(ROW_BEFORE_TRIPLES, behind - 3, behind - 5)) return 3;
  if (rowTokenBytes(end - 2) == 3 && isStableTriple(ROW_BEHIND_TRIPLES, behind - 5, behind - 2)) return 2;
  return 0;
}

/** tokenAt, for three letters from a table that is nearer than the vocabulary. */
function rowToken(at: usize, length: i32): u32 {
  if (length == 3 && isOfLetters) {
    const number = load<u16>(ROW_TRIPLES + ((codesAt(at, 3) as usize) << 1)) as usize;
    if (number != 0) return load<u32>(ROW_TRIPLE_IDS + (number << 2));
  }
  return tokenAt(at, length as usize);
}

/** Length of the last token of the first `end` bytes by comparing ids, 0 if it is longer than expected. */
function lastToken(at: usize, end: i32, bits: i32): i32 {
  const behind = at + (end as usize);
  for (let length = 1; length <= min(end, TOKEN_BYTES); length++) {
    if (length == 4 && end >= 4 && (bits & IS_TOKEN) == 0) continue;
    const before = length == end ? 0 : rowTokenBytes(end - length);
    // The table has said no.
    if (end >= 4 && before != 0 && before + length <= 4) continue;
    const token = rowToken(behind - (length as usize), length);
    if (token == NONE) continue;
    if (before == 0 || isStablePair(rowToken(behind - ((length + before) as usize), before), token)) return length;
  }
  return 0;
}
