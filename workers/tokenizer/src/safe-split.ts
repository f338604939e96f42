import type { PatternFamily } from './encodings.js';
import { SAFE, SPLIT_RULES, UNLESS_AFTER_APOSTROPHE } from './split-rules.js';
import { CLASS_COUNT, characterBytes, characterStart, classAt } from './unicode/character-class.js';

/**
 * How far `findSafeSplit` walks back unless told otherwise. Prose and code need a few hundred bytes at
 * most.
 */
const WALK_BYTES = 64 * 1024;

/** Worth the hand-over to a thread, and small enough to spread one payload evenly. */
const CHUNK_BYTES = 256 * 1024;

const APOSTROPHE_BYTE = 0x27;

/** Bytes `start` to `end` of a text. */
export interface Chunk {
  readonly start: number;
  readonly end: number;
}

/**
 * Whether the tokens before `at` and those from `at` on add up exactly to the tokens of the whole, whatever
 * stands around. `at` must be the start of a character of well-formed UTF-8. Both ends of the text are safe.
 * Conservative: a cut that is not named safe may be exact by chance.
 */
export function isSafeSplit(bytes: Uint8Array, family: PatternFamily, at: number): boolean {
  if (at <= 0 || at >= bytes.length) return true;
  const left = characterStart(bytes, at - 1);
  return isSafeBetween(bytes, SPLIT_RULES[family], left, classAt(bytes, left), classAt(bytes, at));
}

/**
 * The nearest safe split at or before `wantedBytes`, or undefined if there is none within `walkBytes`
 * (default 64 KiB) before it. 0 and the length of the text are safe splits too. The bytes must be well-formed
 * UTF-8.
 */
export function findSafeSplit(
  bytes: Uint8Array,
  family: PatternFamily,
  wantedBytes: number,
  walkBytes = WALK_BYTES,
): number | undefined {
  if (wantedBytes >= bytes.length) return bytes.length;
  const earliest = Math.max(0, wantedBytes - walkBytes);
  for (let at = characterStart(bytes, wantedBytes); at >= earliest; at = characterStart(bytes, at - 1)) {
    if (isSafeSplit(bytes, family, at)) return at;
  }
  return undefined;
}

/**
 * Cuts a text into chunks of at most about `targetBytes` (default 256 KiB) that can be counted apart: their
 * tokens add up exactly. Where no safe split is found the chunk grows, so a text without any stays whole. The
 * chunks cover the text in order; an empty text is one empty chunk. Linear; touches few bytes of ordinary
 * text, and never more than `walkBytes` before each border (default: all).
 */
export function planChunks(
  bytes: Uint8Array,
  family: PatternFamily,
  targetBytes = CHUNK_BYTES,
  walkBytes = targetBytes,
): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  let searched = 0;
  while (searched + targetBytes < bytes.length) {
    const wanted = searched + targetBytes;
    const split = findSafeSplit(bytes, family, wanted, Math.min(walkBytes, targetBytes - 1)) ?? start;
    if (split > start) chunks.push({ start, end: split });
    searched = split > start ? split : wanted;
    start = Math.max(start, split);
  }
  chunks.push({ start, end: bytes.length });
  return chunks;
}

/** The first safe split after `from`, which must be the start of a character, or the length of the text. */
export function nextSafeSplit(bytes: Uint8Array, family: PatternFamily, from: number): number {
  const rules = SPLIT_RULES[family];
  let left = from;
  let leftClass = classAt(bytes, left);
  for (let at = left + characterBytes(bytes[left] as number); at < bytes.length; ) {
    const rightClass = classAt(bytes, at);
    if (isSafeBetween(bytes, rules, left, leftClass, rightClass)) return at;
    left = at;
    leftClass = rightClass;
    at += characterBytes(bytes[at] as number);
  }
  return bytes.length;
}

function isSafeBetween(
  bytes: Uint8Array,
  rules: Uint8Array,
  left: number,
  leftClass: number,
  rightClass: number,
): boolean {
  const rule = rules[leftClass * CLASS_COUNT + rightClass];
  return rule === SAFE || (rule === UNLESS_AFTER_APOSTROPHE && bytes[left - 1] !== APOSTROPHE_BYTE);
}
