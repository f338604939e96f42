import { TextRange } from '@preflight/core';
import { BACKSLASH } from './json-bytes.js';
import type { LongString } from './long-strings.js';
import { allocateShared, type SharedBytes } from './shared-bytes.js';
import { unescapeInto } from './unescape.js';
import { hasControlByte } from './words.js';

/** A string of a body whose value has become a range. */
export interface Lifted extends LongString {
  readonly range: TextRange;
}

/**
 * Makes ranges of strings: of the body's own memory where nothing is escaped, otherwise of new memory that holds
 * the unescaped values of all such strings of the body. Left out, for JSON.parse to judge, is what is not valid,
 * what has a lone surrogate (which no UTF-8 can hold), and what has shrunk to `minBytes` or less.
 */
export function lift(bytes: SharedBytes, strings: readonly LongString[], minBytes: number): Lifted[] {
  const escaped = new Set(
    strings.filter(({ open, close }) => bytes.subarray(open, close).includes(BACKSLASH)),
  );
  let sizeBytes = 0;
  for (const { open, close } of escaped) sizeBytes += close - open - 1;
  const unescaped = allocateShared(sizeBytes);

  const lifted: Lifted[] = [];
  let used = 0;
  for (const string of strings) {
    const source = bytes.subarray(string.open + 1, string.close);
    if (!escaped.has(string)) {
      if (!hasControlByte(source)) lifted.push({ ...string, range: rangeOf(source) });
      continue;
    }
    const lengthBytes = unescapeInto(unescaped.subarray(used), source);
    if (lengthBytes <= minBytes) continue;
    lifted.push({ ...string, range: rangeOf(unescaped.subarray(used, used + lengthBytes)) });
    used += lengthBytes;
  }
  return lifted;
}

function rangeOf({ buffer, byteOffset, byteLength }: SharedBytes): TextRange {
  return new TextRange(buffer, byteOffset, byteOffset + byteLength);
}
