import type { PatternFamily } from './encodings.js';
import { findSafeSplit, isSafeSplit } from './safe-split.js';

/** Smaller segments cost more digests and cache entries than they save; see docs/performance.md. */
const MIN_BYTES = 64 * 1024;
const MAX_BYTES = 256 * 1024;

/** How far a safe split is looked for, from where the content names a border, or back from the largest size. */
const WALK_BYTES = 4096;

/** A border is the first safe split where a hash of the eight bytes before has these bits clear: one place in 8,192. */
const BORDER_MASK = 0x1fff;

/**
 * Ends of the segments of a text, the last one being its length. Segments can be counted apart, their tokens add up
 * exactly; and their borders are named by the content around them, not by their place, so that a text that has grown
 * or changed in one spot has all its other segments as before (content-defined chunking, as in LBFS, Muthitacharoen
 * et al., SOSP 2001). Bytes must be well-formed UTF-8.
 *
 * Looks at about one byte in eight, and at every byte only where there is no safe split at all; a text without one is
 * one segment.
 */
export function segmentEnds(bytes: Uint8Array, family: PatternFamily): number[] {
  const ends: number[] = [];
  let start = 0;
  let searched = 0;
  while (bytes.length - searched > MIN_BYTES) {
    const border = findBorder(bytes, family, searched);
    if (border > start) ends.push(border);
    searched = border > start ? border : searched + MAX_BYTES;
    start = Math.max(start, border);
  }
  ends.push(bytes.length);
  return ends;
}

/** The first border by content between the smallest and the largest size; else the last safe split; else 0. */
function findBorder(bytes: Uint8Array, family: PatternFamily, from: number): number {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const last = Math.min(from + MAX_BYTES, bytes.length - 1);
  for (let at = from + MIN_BYTES; at <= last; at++) {
    const hash =
      Math.imul(words.getInt32(at - 4, true), 0x9e3779b1) ^
      Math.imul(words.getInt32(at - 8, true), 0x85ebca6b);
    if (((hash >>> 16) & BORDER_MASK) !== 0) continue;
    const border = nextSafeSplit(bytes, family, at, last);
    if (border !== undefined) return border;
    at += WALK_BYTES;
  }
  if (last < from + MAX_BYTES) return 0;
  return findSafeSplit(bytes, family, last, WALK_BYTES) ?? 0;
}

/** The first safe split from `at` on, looked for not far and not behind `last`. */
function nextSafeSplit(
  bytes: Uint8Array,
  family: PatternFamily,
  at: number,
  last: number,
): number | undefined {
  for (let border = at; border <= Math.min(at + WALK_BYTES, last); border++)
    if (isCharacterStart(bytes, border) && isSafeSplit(bytes, family, border)) return border;
  return undefined;
}

function isCharacterStart(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] as number) & 0xc0) !== 0x80;
}
