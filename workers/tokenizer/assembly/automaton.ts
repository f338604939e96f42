// Long rows of few different bytes (spaces and newlines, `abba`) by an automaton that is built as they are met.
//
// As in rows.ts, the length of the last token of every prefix is wanted. What comes next depends only on the last
// bytes that a longer token may begin with, and on the last token of the prefix before each of those bytes. That is a
// state; texts of few different bytes have some hundred. A new step from a state costs a microsecond, a known one
// some nanoseconds. States are true of the vocabulary, so they stay from piece to piece.

import {
  AUTOMATON_CLASSES, AUTOMATON_LAST_BYTES, AUTOMATON_NEXT, AUTOMATON_SCRATCH, AUTOMATON_SLOTS, AUTOMATON_STATES, HASH_HIGH,
  HASH_LINE, HASH_LOW, PREFIX_FILTER, PREFIX_FILTER_BITS, PREFIX_FILTER_HASHES, ROW_LENGTHS,
} from "./layout";
import { NONE, isStablePair } from "./pairs";
import { region } from "./region";
import { hashOf, highKey, lowKey, mixedHash, tokenAt } from "./vocabulary";

/** Different bytes that the automaton can know at a time; class 0 is for those it does not. */
const CLASS_LIMIT: i32 = 15;
const STATE_LIMIT: i32 = 4095;
/** What a new step costs, in known ones. A text with more of them is merged faster. */
const NEW_STEP_COST: i32 = 64;
const CREDIT_LIMIT: i32 = 4096 * NEW_STEP_COST;
/** Shorter rows are not worth it. */
const LEAST_BYTES: i32 = 32;
/** Bytes of a state: more would not fit the key of a token. */
const DEPTH_LIMIT: i32 = 14;

/** A state: 16 bytes of text, sixteen tokens, the number of bytes. */
const STATE_TOKENS: usize = 16;
const STATE_DEPTH: usize = 80;
const STATE_BYTES: usize = 96;
/** Stand where no longer token may begin, and before the start of the row. */
const NO_START: u32 = 0xffffffff;
const ROW_START: u32 = 0xfffffffe;

const FIRST_STATE: i32 = 1;
const SLOT_MASK: i32 = 8191;
/** Known steps that may be spent on new ones. */
let credit: i32 = CREDIT_LIMIT;
/** States that exist, with state 0, which is none. */
let stateCount: i32 = 0;
let classCount: i32 = 0;

// @ts-ignore: decorator
@inline
function stateAt(state: i32): usize {
  return region + AUTOMATON_STATES + (state as usize) * 128;
}

// @ts-ignore: decorator
@inline
function nextAt(state: i32, kind: i32): usize {
  return region + AUTOMATON_NEXT + ((((state << 4) | kind) << 1) as usize);
}

/** Forgets everything. */
function begin(): void {
  memory.fill(region + AUTOMATON_CLASSES, 0, 256);
  memory.fill(region + AUTOMATON_SLOTS, 0, 2 * ((SLOT_MASK as usize) + 1));
  classCount = 0;
  stateCount = FIRST_STATE;
  const first = region + AUTOMATON_SCRATCH;
  memory.fill(first, 0, STATE_BYTES);
  memory.fill(first + STATE_TOKENS, 0xff, 64);
  store<u32>(first + STATE_TOKENS, ROW_START);
  internState(0);
}

/** Finds the lengths of the last tokens of the prefixes of up to `most` bytes; returns of how many, 0 if too few. */
export function scanFew(at: usize, most: i32): i32 {
  if (stateCount == 0) begin();
  const lengths = region + ROW_LENGTHS;
  let state = FIRST_STATE;
  let length = 0;
  while (length < most) {
    const byte = load<u8>(at + (length as usize));
    let next = load<u16>(nextAt(state, load<u8>(region + AUTOMATON_CLASSES + (byte as usize)) as i32)) as i32;
    if (next == 0) {
      if (credit < NEW_STEP_COST) break;
      credit -= NEW_STEP_COST;
      next = addStep(state, byte);
      if (next == 0) break;
    }
    state = next;
    length++;
    store<u8>(lengths + (length as usize), load<u8>(region + AUTOMATON_LAST_BYTES + (state as usize)));
  }
  credit = min(CREDIT_LIMIT, credit + length);
  return length < LEAST_BYTES ? 0 : length;
}

/** Class of a byte, 0 if there is none left. */
function classOfByte(byte: u8): i32 {
  const at = region + AUTOMATON_CLASSES + (byte as usize);
  let kind = load<u8>(at) as i32;
  if (kind == 0 && classCount < CLASS_LIMIT) {
    kind = ++classCount;
    store<u8>(at, kind as u8);
  }
  return kind;
}

/** The state that `byte` leads to from `state`; 0 if the automaton cannot have it, and then it begins anew if it is full. */
function addStep(state: i32, byte: u8): i32 {
  const kind = classOfByte(byte);
  if (kind == 0 || stateCount > STATE_LIMIT) {
    stateCount = 0;
    return 0;
  }
  const from = stateAt(state);
  const bytes = region + AUTOMATON_SCRATCH + 128;
  v128.store(bytes, v128.load(from));
  const length = (load<u32>(from, STATE_DEPTH) as i32) + 1;
  store<u8>(bytes + (length as usize) - 1, byte);
  const lastBytes = lastToken(from, bytes, length);
  if (lastBytes == 0) return 0;
  const last = tokenAt(bytes + ((length - lastBytes) as usize), lastBytes as usize);
  // Starts of longer tokens, from the first of them on.
  const target = region + AUTOMATON_SCRATCH;
  memory.fill(target, 0, STATE_BYTES);
  memory.fill(target + STATE_TOKENS, 0xff, 64);
  let first = length;
  for (let i = 0; i < length; i++) {
    const before = load<u32>(from + STATE_TOKENS + ((i as usize) << 2));
    if (before == NO_START || !isPrefix(bytes + (i as usize), (length - i) as usize)) continue;
    if (first == length) first = i;
    store<u32>(target + STATE_TOKENS + (((i - first) as usize) << 2), before);
  }
  const depth = length - first;
  if (depth > DEPTH_LIMIT) return 0;
  memory.copy(target, bytes + (first as usize), depth as usize);
  store<u32>(target + STATE_TOKENS + ((depth as usize) << 2), last);
  store<u32>(target, depth, STATE_DEPTH);
  const next = internState(lastBytes);
  store<u16>(nextAt(state, kind), next as u16);
  return next;
}

/** Length of the one token that ends the bytes and is stable behind the last token before it. */
function lastToken(state: usize, bytes: usize, length: i32): i32 {
  for (let i = 0; i < length; i++) {
    const before = load<u32>(state + STATE_TOKENS + ((i as usize) << 2));
    if (before == NO_START) continue;
    const token = tokenAt(bytes + (i as usize), (length - i) as usize);
    if (token != NONE && (before == ROW_START || isStablePair(before, token))) return length - i;
  }
  return 0;
}

/** Whether longer tokens begin with these bytes; rarely yes where none does, which costs states and nothing else. */
function isPrefix(at: usize, length: usize): bool {
  let hash = mixedHash(hashOf(lowKey(at, length), highKey(at, length)));
  for (let i = 0; i < PREFIX_FILTER_HASHES; i++) {
    const bit = (hash >> (64 - PREFIX_FILTER_BITS)) as usize;
    if (((load<u8>(PREFIX_FILTER + (bit >> 3)) >> ((bit & 7) as u8)) & 1) == 0) return false;
    hash *= HASH_LINE;
  }
  return true;
}

/** Number of the state in the scratch area, which becomes one if it is new. */
function internState(lastBytes: i32): i32 {
  const wanted = region + AUTOMATON_SCRATCH;
  let hash: u64 = 0;
  for (let i: usize = 0; i < STATE_BYTES; i += 8) hash = (hash ^ load<u64>(wanted + i)) * HASH_LOW + (hash >> 29);
  let slot = ((hash * HASH_HIGH) >> 51) as i32;
  while (true) {
    const at = region + AUTOMATON_SLOTS + ((slot as usize) << 1);
    const state = load<u16>(at) as i32;
    if (state == 0) {
      store<u16>(at, stateCount as u16);
      break;
    }
    if (isState(state, wanted)) return state;
    slot = (slot + 1) & SLOT_MASK;
  }
  const state = stateCount++;
  memory.copy(stateAt(state), wanted, STATE_BYTES);
  memory.fill(nextAt(state, 0), 0, 32);
  store<u8>(region + AUTOMATON_LAST_BYTES + (state as usize), lastBytes as u8);
  return state;
}

function isState(state: i32, wanted: usize): bool {
  const at = stateAt(state);
  for (let i: usize = 0; i < STATE_BYTES; i += 16)
    if (v128.any_true(v128.xor(v128.load(at + i), v128.load(wanted + i)))) return false;
  return true;
}
