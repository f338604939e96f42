// Piece by piece, character by character: the splitting pattern as a small automaton. It settles what the
// masks leave open, and it can stop in the middle of a piece and go on when more of the text is there.

import {
  CLASS_BLANK, CLASS_BOTH, CLASS_DIGIT, CLASS_LOWER, CLASS_MARK, CLASS_NEWLINE, CLASS_SYMBOL, CLASS_UPPER,
} from "./layout";
import { behindCharacter, classAt, contractionLength } from "./characters";
import { leading, letters, symbols, within } from "./lanes";
import { HAS_CONTRACTIONS, HAS_SINGLE_DIGITS, IS_CL100K, IS_GPT2, IS_O200K } from "./pattern";

/** Bytes that must be visible behind a place to decide there, unless the text ends. */
const LOOKAHEAD_BYTES: usize = 16;

const AT_START: i32 = 0;
/** Capitals, and letters without case. */
const IN_CAPITALS: i32 = 1;
/** Letters that end the piece at the next capital; all letters in patterns that ignore case. */
const IN_LETTERS: i32 = 2;
const IN_SYMBOLS: i32 = 3;
/** Newlines (and slashes) behind symbols. */
const IN_TAIL: i32 = 4;
const IN_SPACES: i32 = 5;
const IN_DIGITS: i32 = 6;

let state: i32 = AT_START;
let pieceStart: usize = 0;
/** Whether there was a letter without case among capitals, or a newline; `lastMark` is its end. */
let hasMark: bool = false;
let lastMark: usize = 0;
/** Start of the last whitespace character. */
let lastSpace: usize = 0;
/** Where an undecided scan goes on. */
export let scanAt: usize = 0;

/** End of the piece at `start`, or 0 if more text is needed. `end` is where the visible text ends. */
export function scanPiece(start: usize, end: usize, isFinal: bool): usize {
  state = AT_START;
  pieceStart = start;
  scanAt = start;
  return continueScan(end, isFinal);
}

/** Moves an undecided scan by `distance` bytes, after the text was moved by as much. */
export function moveScan(distance: i32): void {
  pieceStart += distance;
  scanAt += distance;
  lastMark += distance;
  lastSpace += distance;
}

/** Goes on with an undecided scan. */
export function continueScan(end: usize, isFinal: bool): usize {
  if (!isFinal && scanAt + LOOKAHEAD_BYTES > end) return 0;
  if (state == AT_START) {
    const decided = beginPiece(isFinal ? end : end - LOOKAHEAD_BYTES, end);
    if (decided != 0) return decided;
  }
  const limit = isFinal ? end : end - LOOKAHEAD_BYTES;
  if (state == IN_CAPITALS || state == IN_LETTERS) return scanLetters(limit, isFinal);
  if (state == IN_SYMBOLS || state == IN_TAIL) return scanSymbols(limit, isFinal);
  if (state == IN_DIGITS) return scanDigits(limit, isFinal);
  return scanSpaces(limit, isFinal);
}

// @ts-ignore: decorator
@inline
function isLetter(kind: i32): bool {
  return kind >= CLASS_UPPER && kind <= (IS_O200K ? CLASS_MARK : CLASS_BOTH);
}

// @ts-ignore: decorator
@inline
function isSymbol(kind: i32): bool {
  return kind == CLASS_SYMBOL || kind == CLASS_MARK;
}

// @ts-ignore: decorator
@inline
function isSpace(kind: i32): bool {
  return kind >= CLASS_BLANK;
}

/** Chooses the state from the first characters; returns the end of a piece that is decided at once. */
function beginPiece(limit: usize, end: usize): usize {
  const start = pieceStart;
  const kind = classAt(start);
  const second = behindCharacter(start);
  hasMark = false;
  if (!IS_O200K) {
    const contraction = contractionLength(start, IS_CL100K);
    if (contraction != 0) return start + contraction;
  }
  scanAt = start;
  if (isLetter(kind)) {
    state = IS_O200K ? IN_CAPITALS : IN_LETTERS;
    return 0;
  }
  const next = second < end ? classAt(second) : -1;
  if (IS_GPT2) {
    const main = load<u8>(start) == 0x20 && next >= 0 && !isSpace(next) ? next : kind;
    if (main != kind) scanAt = second;
    state = isLetter(main) ? IN_LETTERS : main == CLASS_DIGIT ? IN_DIGITS : isSpace(main) ? IN_SPACES : IN_SYMBOLS;
    return 0;
  }
  if (kind == CLASS_DIGIT) return shortDigits(start, end);
  if (kind != CLASS_NEWLINE && isLetter(next)) {
    scanAt = second;
    state = IS_O200K ? IN_CAPITALS : IN_LETTERS;
  } else if (isSymbol(kind)) {
    state = IN_SYMBOLS;
  } else if (load<u8>(start) == 0x20 && isSymbol(next)) {
    scanAt = second;
    state = IN_SYMBOLS;
  } else {
    state = IN_SPACES;
  }
  return 0;
}

/** The digits of a piece, at most three of together twelve bytes, so the caller makes sure that they are visible. */
function shortDigits(start: usize, end: usize): usize {
  let at = start;
  const most = HAS_SINGLE_DIGITS ? 1 : 3;
  for (let i = 0; i < most && at < end; i++) {
    if (classAt(at) != CLASS_DIGIT) break;
    at = behindCharacter(at);
  }
  return at;
}

/** How many of the next 16 bytes are ASCII letters that change nothing. */
// @ts-ignore: decorator
@inline
function plainLetters(at: usize): usize {
  const bytes = v128.load(at);
  if (!IS_O200K) return leading(letters(bytes));
  return leading(state == IN_LETTERS ? within(bytes, 0x61, 0x7a) : within(bytes, 0x41, 0x5a));
}

function scanLetters(limit: usize, isFinal: bool): usize {
  let at = scanAt;
  while (at < limit) {
    if (load<i8>(at) >= 0) {
      const plain = min(plainLetters(at), limit - at);
      if (plain > 0) {
        at += plain;
        continue;
      }
    }
    const kind = classAt(at);
    if (!isLetter(kind)) return endLetters(at);
    if (IS_O200K) {
      if (kind == CLASS_LOWER) {
        state = IN_LETTERS;
      } else if (kind == CLASS_UPPER) {
        if (state == IN_LETTERS) return endLetters(at);
      }
      if (kind >= CLASS_BOTH && state == IN_CAPITALS) {
        hasMark = true;
        lastMark = behindCharacter(at);
      }
    }
    at = behindCharacter(at);
  }
  scanAt = at;
  return isFinal ? endLetters(at) : 0;
}

/**
 * Capitals that no small letter follows belong to the piece only if no letter without case stands before
 * them: the first alternative of the pattern wants to end with a letter that may stand among small ones.
 */
function endLetters(at: usize): usize {
  if (!IS_O200K) return at;
  const end = state == IN_CAPITALS && hasMark ? lastMark : at;
  return HAS_CONTRACTIONS ? end + contractionLength(end, true) : end;
}

function scanSymbols(limit: usize, isFinal: bool): usize {
  let at = scanAt;
  while (at < limit) {
    if (state == IN_SYMBOLS && load<i8>(at) >= 0) {
      const plain = min(leading(symbols(v128.load(at))), limit - at);
      if (plain > 0) {
        at += plain;
        continue;
      }
    }
    const kind = classAt(at);
    const isTail = !IS_GPT2 && (kind == CLASS_NEWLINE || (IS_O200K && state == IN_TAIL && load<u8>(at) == 0x2f));
    if (isTail) state = IN_TAIL;
    else if (state == IN_TAIL || !isSymbol(kind)) return at;
    at = behindCharacter(at);
  }
  scanAt = at;
  return isFinal ? at : 0;
}

function scanDigits(limit: usize, isFinal: bool): usize {
  let at = scanAt;
  while (at < limit) {
    if (classAt(at) != CLASS_DIGIT) return at;
    at = behindCharacter(at);
  }
  scanAt = at;
  return isFinal ? at : 0;
}

/** Takes ASCII whitespace among the next 16 bytes; returns where it ends. */
// @ts-ignore: decorator
@inline
function takeSpaces(at: usize, limit: usize): usize {
  const bytes = v128.load(at);
  const spaces = v128.or(within(bytes, 9, 13), i8x16.eq(bytes, i8x16.splat(0x20)));
  const length = min(leading(spaces), limit - at);
  if (length == 0) return at;
  lastSpace = at + length - 1;
  const newlines = v128.or(i8x16.eq(bytes, i8x16.splat(10)), i8x16.eq(bytes, i8x16.splat(13)));
  const taken = i8x16.bitmask(newlines) & ((1 << (length as i32)) - 1);
  if (!IS_GPT2 && taken != 0) {
    hasMark = true;
    lastMark = at + (32 - clz(taken) as usize);
  }
  return at + length;
}

function scanSpaces(limit: usize, isFinal: bool): usize {
  let at = scanAt;
  while (at < limit) {
    const spacesEnd = takeSpaces(at, limit);
    if (spacesEnd > at) {
      at = spacesEnd;
      continue;
    }
    const kind = classAt(at);
    if (!isSpace(kind)) {
      // The last blank is left for what follows, unless it is alone.
      if (hasMark) return lastMark;
      // Signed: the start of a long piece may have been moved below zero.
      return (lastSpace as i32) > (pieceStart as i32) ? lastSpace : at;
    }
    lastSpace = at;
    at = behindCharacter(at);
    if (!IS_GPT2 && kind == CLASS_NEWLINE) {
      hasMark = true;
      lastMark = at;
    }
  }
  scanAt = at;
  if (!isFinal) return 0;
  return hasMark ? lastMark : at;
}
