import { PreflightError } from '@preflight/core';
import { CLOSE_OBJECT, COLON, COMMA, isWhiteSpace, OPEN_OBJECT, QUOTE } from './json-bytes.js';
import { StringEnds } from './string-end.js';

/** What the shape of a body may be. */
export interface ShapeLimits {
  /** Objects and arrays may be nested this deep. */
  readonly maxDepth: number;
  /** Values and members in all, about: commas, and opened objects and arrays. */
  readonly maxValues: number;
}

/** Where a string stands in a body: the offsets of its two quotes. */
export interface LongString {
  readonly open: number;
  readonly close: number;
}

/** Set in a brace and not in the bracket of the same direction; the two are alike otherwise. */
const BRACE_BIT = 0x20;

/**
 * The strings of a JSON body, object keys left out, that take more than `minBytes` bytes between their quotes.
 * Checks nothing but depth and number of values: in a body that is not JSON, the strings found may be any. About 1 GB/s
 * outside long strings and 50 GB/s inside.
 * @throws PreflightError `body_too_deep` or `body_too_many_values`, with `limit` and `position`.
 */
export function findLongStrings(
  bytes: Buffer,
  minBytes: number,
  { maxDepth, maxValues }: ShapeLimits,
): LongString[] {
  const ends = new StringEnds(bytes);
  const found: LongString[] = [];
  let depth = 0;
  let values = 0;
  let i = 0;
  while (i < bytes.length) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) {
      const close = ends.find(i + 1);
      if (close < 0) return found;
      if (close - i - 1 > minBytes && !isKey(bytes, close)) found.push({ open: i, close });
      i = close + 1;
      continue;
    }
    const brace = byte | BRACE_BIT;
    if (brace === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) throw new PreflightError('body_too_deep', at(i, maxDepth));
    } else if (brace === CLOSE_OBJECT) depth -= 1;
    else if (byte === COMMA) values += 1;
    if (values > maxValues) throw new PreflightError('body_too_many_values', at(i, maxValues));
    i += 1;
  }
  return found;
}

function at(position: number, limit: number) {
  return { params: { limit, position } };
}

/** In JSON a string is a key exactly if a colon follows. */
function isKey(bytes: Buffer, close: number): boolean {
  let i = close + 1;
  while (isWhiteSpace(bytes[i])) i += 1;
  return bytes[i] === COLON;
}
