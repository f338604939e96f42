// What of a long piece needs no merging: rows of letters, of symbols, of few different bytes, of wide characters.

import { scanFew } from "./automaton";
import { ROW_LENGTHS } from "./layout";
import { NONE, isStablePair } from "./pairs";
import { HAS_WORD_TABLES, IS_GPT2 } from "./pattern";
import { region } from "./region";
import { ROW_BYTES, rowLength, scanRow } from "./rows";
import { dropTo, pushUnnamed, stackedEnd, stackedToken, stackedTokens } from "./stack";
import { pushedSegments, wholeCharacters } from "./wide-rows";
import { pushRemembered, rememberWindow } from "./window-memo";

/** Whether the last row was one for the automaton: the next is probably too. */
let isOfFew: bool = false;

/** Length of the row at `start` that could be scanned, 0 if none could. */
function scannedRow(start: usize, most: i32): i32 {
  if (isOfFew) {
    const length = scanFew(start, most);
    if (length != 0) return length;
  }
  const length = HAS_WORD_TABLES ? rowLength(start, most) : 0;
  if (length != 0 && scanRow(start, length)) {
    isOfFew = false;
    return length;
  }
  if (isOfFew) return 0;
  const fewLength = scanFew(start, most);
  isOfFew = fewLength != 0;
  return fewLength;
}

/**
 * Pushes the tokens of characters outside ASCII, or of a row of letters or symbols, at `start`: all but the last two
 * unless the piece ends there. Returns whether there is such text and it joins what is on the stack.
 */
export function pushedRow(start: usize, rest: i32, before: u32): bool {
  const below = stackedTokens;
  let length: i32;
  const isWide = !IS_GPT2 && load<u8>(start) >= 0xc0;
  if (isWide) {
    length = wholeCharacters(start, rest);
    if (length > 0 && length < rest && pushRemembered(start, length, before)) return true;
    if (length == 0 || !pushedSegments(start, length)) return false;
  } else {
    length = scannedRow(start, min(rest, ROW_BYTES));
    if (length == 0) return false;
    pushUnnamed(start, length, region + ROW_LENGTHS);
  }
  if (before != NONE && !isStablePair(before, stackedToken(below))) {
    dropTo(below);
    return false;
  }
  if (length < rest) {
    dropTo(stackedTokens - min(2, stackedTokens - below - 1));
    if (isWide) {
      // The next window should begin with a character.
      while (stackedTokens > below + 1 && (load<u8>(stackedEnd(stackedTokens - 1)) & 0xc0) == 0x80) dropTo(stackedTokens - 1);
      rememberWindow(start, length, before, below);
    }
  }
  return true;
}
