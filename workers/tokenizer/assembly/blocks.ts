// Sixty-four bytes at a time: the starts of pieces by bit arithmetic on masks of classes.
//
// The patterns have no look-behind, so each block begins at a piece start; the next block begins at the last
// start found, whose piece is read again. No state crosses blocks. What the masks cannot decide (whitespace
// and digits outside ASCII, marks in odd places, a capital right after a letter without case) ends the part
// of the block that counts; the scanner takes the piece there.

import { contractionLength, wideClassAt } from "./characters";
import { countLarge, knownCount } from "./memo";
import { countLongWord, countShortWords } from "./words";
import { HAS_CONTRACTIONS, HAS_SINGLE_DIGITS, HAS_WHOLE_PIECES, HAS_WORD_TABLES, IS_GPT2, IS_O200K } from "./pattern";
import { hashOf, highKey, lowKey } from "./vocabulary";
import { WAITING_PIECES, WAITING_TOKENS, countWaiting, wait, waitingPieces, waitingStart } from "./waiting";
import { isWholePiece } from "./whole-pieces";

/** Tokens of the last countBlocks. */
export let blockTokens: i32 = 0;
/** Where the last countBlocks stopped: a piece start. */
export let blockEnd: usize = 0;

/** Bytes before the end of visible text where nothing is decided. */
const LOOKAHEAD_BYTES: usize = 16;
/** A start behind this bit may depend on bytes outside the block. */
const DECIDED: u64 = 0x1fffffffffffffff;

// @ts-ignore: decorator
@inline
function pack(a: v128, b: v128, c: v128, d: v128): u64 {
  return (i8x16.bitmask(a) as u32 as u64) | ((i8x16.bitmask(b) as u32 as u64) << 16)
    | ((i8x16.bitmask(c) as u32 as u64) << 32) | ((i8x16.bitmask(d) as u32 as u64) << 48);
}

// @ts-ignore: decorator
@inline
function equals(a: v128, b: v128, c: v128, d: v128, byte: u8): u64 {
  const wanted = i8x16.splat(byte as i8);
  return pack(i8x16.eq(a, wanted), i8x16.eq(b, wanted), i8x16.eq(c, wanted), i8x16.eq(d, wanted));
}

// @ts-ignore: decorator
@inline
function equalsEither(a: v128, b: v128, c: v128, d: v128, byte: u8, other: u8): u64 {
  const one = i8x16.splat(byte as i8);
  const two = i8x16.splat(other as i8);
  return pack(
    v128.or(i8x16.eq(a, one), i8x16.eq(a, two)), v128.or(i8x16.eq(b, one), i8x16.eq(b, two)),
    v128.or(i8x16.eq(c, one), i8x16.eq(c, two)), v128.or(i8x16.eq(d, one), i8x16.eq(d, two)),
  );
}

/** Bytes from `first` to `first + span`. */
// @ts-ignore: decorator
@inline
function within(a: v128, b: v128, c: v128, d: v128, first: u8, span: u8): u64 {
  const base = i8x16.splat(first as i8);
  const most = i8x16.splat(span as i8);
  return pack(
    i8x16.le_u(i8x16.sub(a, base), most), i8x16.le_u(i8x16.sub(b, base), most),
    i8x16.le_u(i8x16.sub(c, base), most), i8x16.le_u(i8x16.sub(d, base), most),
  );
}

/** Bit 5 of every byte, which tells small letters from capitals. */
// @ts-ignore: decorator
@inline
function smallBits(a: v128, b: v128, c: v128, d: v128): u64 {
  return pack(i16x8.shl(a, 2), i16x8.shl(b, 2), i16x8.shl(c, 2), i16x8.shl(d, 2));
}

/** Bytes inside characters. */
// @ts-ignore: decorator
@inline
function continuations(a: v128, b: v128, c: v128, d: v128): u64 {
  const least = i8x16.splat(-64);
  return pack(i8x16.lt_s(a, least), i8x16.lt_s(b, least), i8x16.lt_s(c, least), i8x16.lt_s(d, least));
}

/** Masks that wide characters change; see addWide. */
let wideUpper: u64 = 0;
let wideLower: u64 = 0;
let wideUnknown: u64 = 0;

/** The bits of the characters at `leads` and of their other bytes. */
// @ts-ignore: decorator
@inline
function wholeCharacters(leads: u64, following: u64): u64 {
  let bits = leads;
  bits |= (bits << 1) & following;
  bits |= (bits << 1) & following;
  return bits | ((bits << 1) & following);
}

/**
 * Puts the characters outside ASCII into the masks, every byte of a character into the mask of its class. Letters
 * without case, and marks behind letters, count as small letters: both may follow any letter. What the masks cannot
 * express is unknown. No branch depends on a class: where words end is nothing that a processor could foresee.
 */
function addWide(at: usize, high: u64, following: u64, letters: u64, capitals: u64): void {
  // Bits of the classes of characters, at their first bytes.
  let ones: u64 = 0;
  let twos: u64 = 0;
  let fours: u64 = 0;
  let leads = high & ~following;
  while (leads != 0) {
    const i = ctz(leads);
    leads &= leads - 1;
    const here = at + (i as usize);
    const kind = wideClassAt(here, load<u8>(here) as i32) as u64;
    ones |= (kind & 1) << i;
    twos |= ((kind >> 1) & 1) << i;
    fours |= ((kind >> 2) & 1) << i;
  }
  // Digits and whitespace.
  let unknown = fours & (ones | twos);
  if (IS_O200K) {
    const marks = fours & ~ones & ~twos;
    const caseless = wholeCharacters((ones & twos & ~fours) | marks, following);
    const upper = wholeCharacters(ones & ~twos & ~fours, following);
    const lower = wholeCharacters(twos & ~ones & ~fours, following) | caseless;
    unknown |= marks & ~((letters | upper | lower) << 1);
    unknown |= (capitals | upper) & (caseless << 1);
    wideUpper = upper;
    wideLower = lower;
  } else {
    wideLower = wholeCharacters((ones | twos) & ~fours, following);
  }
  wideUnknown = unknown;
}

/** Starts with contractions: o200k takes them into the letters before. */
function joinContractions(at: usize, starts: u64, candidates: u64): u64 {
  let previousEnd: u64 = 64;
  while (candidates != 0) {
    const i = ctz(candidates);
    candidates &= candidates - 1;
    if (i == previousEnd) continue;
    const length = contractionLength(at + (i as usize), true) as u64;
    if (length == 0) continue;
    const inside = (((1 as u64) << length) - 1) << i;
    starts = (starts & ~inside) | ((1 as u64) << (i + length));
    previousEnd = i + length;
  }
  return starts;
}

/** Starts behind contractions: in cl100k they are pieces of their own. */
function cutContractions(at: usize, starts: u64, candidates: u64): u64 {
  while (candidates != 0) {
    const i = ctz(candidates);
    candidates &= candidates - 1;
    const length = contractionLength(at + (i as usize), true) as u64;
    if (length != 0) starts |= (1 as u64) << (i + length);
  }
  return starts;
}

/** Of blanks behind a newline, the first of those runs that do not end at another newline. */
function blanksAfterNewlines(candidates: u64, blanks: u64, newlines: u64): u64 {
  let kept: u64 = 0;
  while (candidates != 0) {
    const lowest = candidates & (0 - candidates);
    candidates ^= lowest;
    if (((blanks + lowest) & ~blanks & newlines) == 0) kept |= lowest;
  }
  return kept;
}

/** Counts pieces from the piece start `start` as far as the masks decide, until there are more than `limit` tokens. */
export function countBlocks(start: usize, end: usize, isFinal: bool, limit: i32): void {
  if (IS_GPT2) {
    blockTokens = 0;
    blockEnd = start;
    return;
  }
  const visible = isFinal ? end : end - LOOKAHEAD_BYTES;
  let at = start;
  let total = 0;
  let waitingEnd = waitingStart();
  while (at < visible && total <= limit) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const fold = i8x16.splat(0x20);
    let letters = within(v128.or(a, fold), v128.or(b, fold), v128.or(c, fold), v128.or(d, fold), 0x61, 25);
    const small = smallBits(a, b, c, d);
    let upper = letters & ~small;
    let lower = letters & small;
    const digits = within(a, b, c, d, 0x30, 9);
    const spaces = equals(a, b, c, d, 0x20);
    const controls = within(a, b, c, d, 9, 4);
    const allNewlines = equalsEither(a, b, c, d, 10, 13);
    const blanks = spaces | (controls & ~allNewlines);
    const high = pack(a, b, c, d);
    let unknown: u64 = visible - at < 64 ? (-1 as u64) << ((visible - at) as u64) : 0;
    let following: u64 = 0;
    if (high != 0) {
      following = continuations(a, b, c, d);
      addWide(at, high, following, letters, upper);
      upper |= wideUpper;
      lower |= wideLower;
      letters |= wideUpper | wideLower;
      unknown |= wideUnknown;
    }
    const allSymbols = ~(letters | digits | blanks | allNewlines);
    // Newlines (in o200k also slashes behind them) right behind symbols belong to the symbols.
    const seeds = allNewlines & (allSymbols << 1);
    const tail = IS_O200K ? allNewlines | equals(a, b, c, d, 0x2f) : allNewlines;
    const absorbed = (tail & ~(tail + seeds)) | seeds;
    const newlines = allNewlines & ~absorbed;
    const symbols = allSymbols & ~absorbed;
    const symbolStarts = symbols & ~((symbols | spaces) << 1);
    let prefixes = symbolStarts;
    if (following != 0) {
      // The last byte of a symbol decides what it is the prefix of.
      prefixes |= (prefixes << 1) & following;
      prefixes |= (prefixes << 1) & following;
      prefixes |= (prefixes << 1) & following;
      prefixes &= ~(following >> 1);
    }
    const letterStarts = (IS_O200K ? (upper & ~(upper << 1)) | (lower & ~(letters << 1)) : letters & ~(letters << 1))
      & ~((blanks | prefixes) << 1);
    let digitStarts = HAS_SINGLE_DIGITS ? digits : digits & ~(digits << 1);
    let thirds: u64 = HAS_SINGLE_DIGITS ? 0 : (digitStarts << 3) & digits & (digits << 1) & (digits << 2);
    while (thirds != 0) {
      digitStarts |= thirds;
      thirds = (thirds << 3) & digits & (digits << 1) & (digits << 2);
    }
    const whitespace = blanks | newlines;
    let starts = symbolStarts | letterStarts | digitStarts | (whitespace & ~(whitespace << 1)) | (blanks & ~(whitespace >> 1));
    const afterNewlines = blanks & (newlines << 1);
    starts |= ((blanks + afterNewlines) & ~blanks & newlines) == 0
      ? afterNewlines
      : blanksAfterNewlines(afterNewlines, blanks, newlines);
    const apostrophes = equals(a, b, c, d, 0x27) & DECIDED;
    if (IS_O200K && HAS_CONTRACTIONS) {
      const candidates = apostrophes & (letters << 1);
      if (candidates != 0) starts = joinContractions(at, starts, candidates);
    } else if (HAS_CONTRACTIONS) {
      const candidates = apostrophes & symbolStarts;
      if (candidates != 0) starts = cutContractions(at, starts, candidates);
    }
    // Only what lies before the first unknown byte; of whitespace that touches it only the first start.
    const known = unknown == 0 ? DECIDED : (DECIDED & ((unknown & (0 - unknown)) - 1));
    const border = unknown == 0 ? 64 : ctz(unknown);
    if (border > 0 && ((whitespace >> (border - 1)) & 1) != 0) {
      const before = ~whitespace & (border == 64 ? -1 : ((1 as u64) << border) - 1);
      const runStart: u64 = before == 0 ? 0 : 64 - clz(before);
      if (runStart < 63) starts &= ((2 as u64) << runStart) - 1;
    }
    starts &= known;
    if (starts <= 1) break;
    const last = 63 - clz(starts);
    const body = starts ^ ((1 as u64) << last);
    // Single bytes are tokens, and so are all groups of digits.
    const easy = body & ((starts >> 1) | digits);
    total += popcnt(easy) as i32;
    let rest = body ^ easy;
    // Random text has no use for memos: its words are counted from tables.
    if (HAS_WORD_TABLES && (high | unknown | blanks | allNewlines) == 0) {
      const marks = equals(a, b, c, d, 0x2f) | equals(a, b, c, d, 0x2b) | equals(a, b, c, d, 0x2d) | equals(a, b, c, d, 0x5f);
      if ((allSymbols & ~marks) == 0) {
        const words = rest & ~(symbols & (symbols >> 1));
        const shortWords = words & ((starts >> 1) | (starts >> 2) | (starts >> 3) | (starts >> 4));
        total += countShortWords(at, shortWords, starts);
        let longWords = words ^ shortWords;
        while (longWords != 0) {
          const i = ctz(longWords);
          longWords &= longWords - 1;
          total += countLongWord(at + (i as usize), (ctz(starts >> (i + 1)) + 1) as i32);
        }
        rest ^= words;
      }
    }
    while (rest != 0) {
      const i = ctz(rest);
      rest &= rest - 1;
      const length = ctz(starts >> (i + 1)) + 1;
      const piece = at + (i as usize);
      if (HAS_WHOLE_PIECES && isWholePiece(piece, length as usize)) {
        total++;
      } else if (length <= 15) {
        const low = lowKey(piece, length as usize);
        const high = highKey(piece, length as usize);
        const hash = hashOf(low, high);
        const known = knownCount(low, high, hash);
        if (known != 0) total += known;
        else waitingEnd = wait(waitingEnd, piece, length as usize, low, high, hash);
      } else {
        total += countLarge(piece, length as usize);
      }
    }
    at += last as usize;
    const pieces = waitingPieces(waitingEnd);
    if (pieces >= WAITING_PIECES || total + pieces * WAITING_TOKENS > limit) {
      total += countWaiting(waitingEnd);
      waitingEnd = waitingStart();
    }
  }
  if (waitingEnd > waitingStart()) total += countWaiting(waitingEnd);
  blockTokens = total;
  blockEnd = at;
}
