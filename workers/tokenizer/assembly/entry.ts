// What the JavaScript side calls. Text is counted in steps: it copies some bytes to the text area, calls
// `step`, and gives what was not consumed again together with the next bytes.

import {
  LONG_MEMO, LONG_MEMO_COUNTS, MEMO, MEMO_BYTES, MEMO_SEED, SECOND_MEMO, TABLES_END, TEXT, THREAD_BYTES,
} from "./layout";
import { blockEnd, blockTokens, countBlocks } from "./blocks";
import { countPiece } from "./memo";
import { region, setRegion } from "./region";
import { scanPiece } from "./scanner";
export { continueScan, moveScan, scanAt } from "./scanner";
export { encodeRun } from "./runs";
export { beginRun, endOfWanted, moveStack, settle, settledTokens, stackedEnd, stackedTokens } from "./stack";

/** Most tokens that a block can have. */
const BLOCK_TOKENS: i32 = 64;
/** Pieces that the scanner takes before blocks are tried again where they found nothing. */
const SCANNED_PIECES: i32 = 8;

/** End of the thread region with this number; the memory must reach so far. */
export function regionEnd(slot: u32): usize {
  return TABLES_END + (slot as usize) * THREAD_BYTES + THREAD_BYTES;
}

/** Takes the thread region with this number; returns the address of its text area. */
export function attach(slot: u32): usize {
  setRegion(TABLES_END + (slot as usize) * THREAD_BYTES);
  // A thread that was ended may have left half a slot.
  memory.copy(region + MEMO, MEMO_SEED, MEMO_BYTES);
  memory.fill(region + SECOND_MEMO, 0, LONG_MEMO - SECOND_MEMO);
  memory.fill(region + LONG_MEMO, 0, LONG_MEMO_COUNTS - LONG_MEMO);
  return region + TEXT;
}

/** Tokens of the last step. */
export let tokens: i32 = 0;
/** End of the piece that the last step did not count because it exceeds the limit; 0 if there is none. */
export let exceedingEnd: usize = 0;

/**
 * Counts whole pieces of the text from `start` to `end`; returns where it stopped: at the end, at a piece whose
 * end is not visible yet, where the tokens have reached `limit`, or before the piece that would exceed it.
 */
export function step(start: usize, end: usize, isFinal: bool, limit: i32): usize {
  let at = start;
  let total = 0;
  exceedingEnd = 0;
  while (at < end && total < limit) {
    let scans = 1;
    if (limit - total > BLOCK_TOKENS) {
      countBlocks(at, end, isFinal, limit - total - BLOCK_TOKENS);
      if (blockEnd == at) scans = SCANNED_PIECES;
      at = blockEnd;
      total += blockTokens;
    }
    while (scans-- > 0 && at < end && total < limit) {
      const pieceEnd = scanPiece(at, end, isFinal);
      if (pieceEnd == 0) {
        tokens = total;
        return at;
      }
      const count = countPiece(at, pieceEnd - at);
      if (total + count > limit) {
        exceedingEnd = pieceEnd;
        tokens = total;
        return at;
      }
      total += count;
      at = pieceEnd;
    }
  }
  tokens = total;
  return at;
}
