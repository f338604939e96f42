import type { Stretch } from './runs.js';

const APOSTROPHE_BYTE = 0x27;
const SINGLE_LETTERS = [...'stmd'].map(byteOf);
const LETTER_PAIRS = ['re', 've', 'll'].map(([first, second]) => [byteOf(first), byteOf(second)]);

/** `('s|'t|'re|'ve|'m|'ll|'d)?` as in the GPT-2 pattern: where it ends, or `at` if there is none. */
export function contractionEnd({ bytes, end }: Stretch, at: number): number {
  if (at + 1 >= end || bytes[at] !== APOSTROPHE_BYTE) return at;
  const first = bytes[at + 1] as number;
  if (SINGLE_LETTERS.includes(first)) return at + 2;
  const second = at + 2 < end ? bytes[at + 2] : undefined;
  return LETTER_PAIRS.some((pair) => pair[0] === first && pair[1] === second) ? at + 3 : at;
}

/**
 * The same under `(?i:…)` as in o200k and cl100k. Besides the ASCII letters tiktoken's engine folds exactly
 * one character to a letter of a contraction: U+017F, the long s (C5 BF).
 */
export function anyCaseContractionEnd({ bytes, end }: Stretch, at: number): number {
  if (at + 1 >= end || bytes[at] !== APOSTROPHE_BYTE) return at;
  const suffix = Uint8Array.from(bytes.subarray(at, Math.min(at + 3, end)), lowerCase);
  if (suffix[1] === 0xc5 && suffix[2] === 0xbf) return at + 3;
  return at + contractionEnd({ bytes: suffix, end: suffix.length }, 0);
}

function lowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

function byteOf(letter: string | undefined): number {
  return letter?.charCodeAt(0) ?? 0;
}
