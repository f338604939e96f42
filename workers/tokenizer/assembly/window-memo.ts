// Windows met before in the same long piece: a run of one letter, of spaces, of a short period. An equal window behind
// an equal token has equal tokens.

import { WINDOW_MEMO } from "./layout";
import { region } from "./region";
import { push, stackedEnd, stackedToken, stackedTokens } from "./stack";

/** Entry: address and length of the window, the token before it, number of tokens kept; then the tokens and where they end. */
const ENTRY_BYTES: usize = 0x1000;
const ENTRY_COUNT: i32 = 8;
const ENTRY_TOKENS: i32 = 500;
let nextEntry: i32 = 0;
/** Windows since one was met again. */
let newWindows: i32 = 0;
/** After so many of them in a row only one in eight is remembered: enough to notice that a text repeats itself again. */
const MANY_NEW_WINDOWS: i32 = 32;

export function forgetWindows(): void {
  for (let i = 0; i < ENTRY_COUNT; i++) store<i32>(region + WINDOW_MEMO + (i as usize) * ENTRY_BYTES, 0, 4);
}

/** Remembers the tokens that were pushed above `below` and kept. */
export function rememberWindow(start: usize, length: i32, before: u32, below: i32): void {
  const kept = stackedTokens - below;
  newWindows++;
  if (kept > ENTRY_TOKENS || (newWindows > MANY_NEW_WINDOWS && (newWindows & 7) != 0)) return;
  const entry = region + WINDOW_MEMO + (nextEntry as usize) * ENTRY_BYTES;
  nextEntry = (nextEntry + 1) & (ENTRY_COUNT - 1);
  store<u32>(entry, start as u32);
  store<i32>(entry, length, 4);
  store<u32>(entry, before, 8);
  store<i32>(entry, kept, 12);
  for (let i = 0; i < kept; i++) {
    store<u32>(entry + 16 + ((i as usize) << 3), stackedToken(below + i));
    store<u32>(entry + 20 + ((i as usize) << 3), (stackedEnd(below + i) - start) as u32);
  }
}

/** Pushes the tokens of an equal window behind an equal token, if one is remembered. */
export function pushRemembered(start: usize, length: i32, before: u32): bool {
  for (let i = 0; i < ENTRY_COUNT; i++) {
    const entry = region + WINDOW_MEMO + (i as usize) * ENTRY_BYTES;
    if (load<i32>(entry, 4) != length || load<u32>(entry, 8) != before) continue;
    if (!isEqual(start, load<u32>(entry) as usize, length)) continue;
    newWindows = 0;
    const kept = load<i32>(entry, 12);
    for (let token = 0; token < kept; token++) {
      const at = entry + 16 + ((token as usize) << 3);
      push(load<u32>(at), start + (load<u32>(at, 4) as usize));
    }
    return true;
  }
  return false;
}

/** Whether two windows are equal, up to the next multiple of 16 bytes. */
function isEqual(a: usize, b: usize, length: i32): bool {
  for (let i: usize = 0; i < (length as usize); i += 16)
    if (v128.any_true(v128.xor(v128.load(a + i), v128.load(b + i)))) return false;
  return true;
}
