import type { PatternFamily } from '../encodings.js';
import { findSafeSplit } from '../safe-split.js';
import type { OpenTokenReader, Taken } from '../token-reader.js';
import { characterBytes, characterStart, classAt, isLetter, MARK } from '../unicode/character-class.js';
import { decodeRange } from '../utf8.js';
import { toNfc } from './nfc.js';

const encoder = new TextEncoder();

/** First byte of U+0300: all characters before it are in NFC whatever stands around them. */
const FIRST_DOUBTFUL_BYTE = 0xcc;

/** Takes tokens of texts that are brought to NFC first, as Qwen's are. Linear; text that is in NFC costs a look at it. */
export class NormalizingReader implements OpenTokenReader {
  constructor(
    private readonly reader: OpenTokenReader,
    private readonly family: PatternFamily,
  ) {}

  take(bytes: Uint8Array, start: number, end: number, maxTokens: number): Taken {
    const normal = normalized(bytes, start, end);
    if (normal === undefined) return this.reader.take(bytes, start, end, maxTokens);
    const { tokens, end: normalEnd } = this.reader.take(normal, 0, normal.length, maxTokens);
    if (normalEnd === normal.length) return { tokens, end };
    return { tokens, end: sourceEnd(bytes, start, end, normalEnd) };
  }

  takeSettled(bytes: Uint8Array): Taken {
    // Behind the last character but one, both neighbours of a split are whole.
    const last = characterStart(bytes, bytes.length - 1);
    const end = findSafeSplit(bytes, this.family, characterStart(bytes, last - 1)) ?? 0;
    return this.take(bytes, 0, end, Number.POSITIVE_INFINITY);
  }

  countString(text: string, maxTokens: number): number {
    const normal = toNfc(text);
    if (this.reader.countString !== undefined) return this.reader.countString(normal, maxTokens);
    const bytes = encoder.encode(normal);
    return this.reader.take(bytes, 0, bytes.length, maxTokens).tokens;
  }
}

/** The stretch in NFC; undefined if it is. */
function normalized(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
  if (!isDoubtful(bytes, start, end)) return undefined;
  const text = decodeRange(bytes, start, end);
  const normal = toNfc(text);
  return normal === text ? undefined : encoder.encode(normal);
}

function isDoubtful(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] as number) >= FIRST_DOUBTFUL_BYTE) return true;
  return false;
}

/**
 * Where in the text the first `normalBytes` bytes of its NFC end: the last place up to there that nothing joins across, so
 * that what is kept spells no more than was counted.
 */
function sourceEnd(bytes: Uint8Array, start: number, end: number, normalBytes: number): number {
  let kept = start;
  let keptNormal = 0;
  for (let at = start; at < end; ) {
    const next = partEnd(bytes, at, end);
    keptNormal += encoder.encode(toNfc(decodeRange(bytes, at, next))).length;
    if (keptNormal > normalBytes) return kept;
    kept = next;
    at = next;
  }
  return kept;
}

/** A character with all marks and, behind a letter, all jamo behind it: normalized by itself, whatever stands around. */
function partEnd(bytes: Uint8Array, at: number, end: number): number {
  const canJoin = isLetter(classAt(bytes, at));
  let position = at + characterBytes(bytes[at] as number);
  while (position < end && (classAt(bytes, position) === MARK || (canJoin && isJamo(bytes, position))))
    position += characterBytes(bytes[position] as number);
  return position;
}

/** Vowels and final consonants of Hangul, U+1160 to U+11FF. */
function isJamo(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0xe1) return false;
  const second = bytes[at + 1] as number;
  return second === 0x87 || (second === 0x85 && (bytes[at + 2] as number) >= 0xa0) || second === 0x86;
}
