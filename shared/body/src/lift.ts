import { type Steps, TextRange } from '@preflight/core';
import { hasControlByte } from './control-bytes.js';
import { BACKSLASH } from './json-bytes.js';
import type { LongString } from './layout.js';
import { allocateShared, type SharedBytes } from './shared-bytes.js';
import { unescapeInto } from './unescape.js';
import { toWellFormed } from './wtf8.js';

/** A string of a body whose value has become a range. */
export interface Lifted extends LongString {
  readonly range: TextRange;
}

/** Bytes that are looked at in one step, less than a millisecond. */
const STEP_BYTES = 4 * 1024 * 1024;

/** Strings with escapes, whose values need memory of their own. */
export interface Escaped {
  readonly strings: ReadonlySet<LongString>;
  /** No more than these bytes. */
  readonly sizeBytes: number;
}

/** Which of the strings have escapes, so that their values are no ranges of the body. */
export function* findEscaped(bytes: SharedBytes, strings: readonly LongString[]): Steps<Escaped> {
  const escaped = new Set<LongString>();
  let sizeBytes = 0;
  let sinceStep = 0;
  for (const string of strings) {
    const { open, close } = string;
    if (bytes.subarray(open, close).includes(BACKSLASH)) {
      escaped.add(string);
      sizeBytes += close - open - 1;
    }
    sinceStep += close - open;
    if (sinceStep < STEP_BYTES) continue;
    yield;
    sinceStep = 0;
  }
  return { strings: escaped, sizeBytes };
}

/**
 * Makes ranges of strings: of the body's own memory where nothing is escaped, otherwise of new memory that holds
 * the unescaped values of all such strings of the body. Left out, for JSON.parse to judge, is what is not valid, and
 * what has shrunk to `minBytes` or less.
 */
export function* lift(
  bytes: SharedBytes,
  strings: readonly LongString[],
  escaped: Escaped,
  minBytes: number,
): Steps<Lifted[]> {
  const unescaped = allocateShared(escaped.sizeBytes);

  const lifted: Lifted[] = [];
  let used = 0;
  for (const string of strings) {
    const source = bytes.subarray(string.open + 1, string.close);
    if (!escaped.strings.has(string)) {
      if (!(yield* holdsControlByte(source))) lifted.push({ ...string, range: rangeOf(source) });
      continue;
    }
    const { lengthBytes, isWellFormed } = yield* unescapeInto(unescaped.subarray(used), source);
    if (lengthBytes <= minBytes) continue;
    const value = unescaped.subarray(used, used + lengthBytes);
    lifted.push({
      ...string,
      range: isWellFormed ? rangeOf(value) : rangeOf(yield* toWellFormed(value), value),
    });
    used += lengthBytes;
  }
  return lifted;
}

function* holdsControlByte(source: Uint8Array): Steps<boolean> {
  for (let start = 0; start < source.length; start += STEP_BYTES) {
    if (start > 0) yield;
    if (hasControlByte(source.subarray(start, start + STEP_BYTES))) return true;
  }
  return false;
}

function rangeOf({ buffer, byteOffset, byteLength }: SharedBytes, given?: Uint8Array): TextRange {
  return new TextRange(buffer, byteOffset, byteOffset + byteLength, given);
}
