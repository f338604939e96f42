// biome-ignore-all lint/style/noNonNullAssertion: every index is within the length just checked, and `?? 0` costs speed.
import type { WrittenText } from './countable.js';
import { finish, type Steps } from './steps.js';

/**
 * Writes down the bytes of a piece's text as they are counted. Text that is already written that way, which is the
 * rule for megabytes of base64, is found by one scan and returned as the same view, without a copy.
 * Linear in the input; meant for threads.
 * @returns undefined when base64 was announced and the text is none.
 */
export function writePiece(piece: Pick<WrittenText, 'as'>, bytes: Uint8Array): Uint8Array | undefined {
  return finish(writePieceSteps(piece, bytes));
}

/** The same, in steps of 256 KiB. */
export function* writePieceSteps(
  piece: Pick<WrittenText, 'as'>,
  bytes: Uint8Array,
): Steps<Uint8Array | undefined> {
  return piece.as === 'json' ? yield* writeJson(bytes) : yield* writeBase64(bytes);
}

const STEP_BYTES = 256 * 1024;

/** Numbers of leading bytes, as `countSome` finds them, added up as long as all of a step are leading bytes. */
function* countInSteps(bytes: Uint8Array, countSome: (some: Uint8Array) => number): Steps<number> {
  let count = 0;
  while (count < bytes.length) {
    const some = bytes.subarray(count, count + STEP_BYTES);
    const found = countSome(some);
    count += found;
    if (found < some.length) break;
    yield;
  }
  return count;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const EQUALS = 0x3d;
const HEX_DIGITS = bytesOf('0123456789abcdef');

/** Length of a byte inside a JSON string: itself, a short escape, or `\uXXXX`. Entries from 0x80 on are not used. */
const ESCAPED_LENGTH = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte <= 0x7e && byte !== QUOTE && byte !== BACKSLASH ? 1 : 6,
);
/** What follows the backslash of a short escape, 0 where there is none (langroid-overflow §7). */
const SHORT_ESCAPE = new Uint8Array(256);
for (const [byte, letter] of [
  [QUOTE, '"'],
  [BACKSLASH, '\\'],
  [0x08, 'b'],
  [0x0c, 'f'],
  [0x0a, 'n'],
  [0x0d, 'r'],
  [0x09, 't'],
] as const) {
  ESCAPED_LENGTH[byte] = 2;
  SHORT_ESCAPE[byte] = letter.charCodeAt(0);
}

/** 0 for the bytes that stand for themselves inside a JSON string, 1 for all others. */
const NEEDS_ESCAPE = ESCAPED_LENGTH.map((length) => (length === 1 ? 0 : 1));

/** The inside of a JSON string with ASCII-only escaping, from well-formed UTF-8. */
function* writeJson(bytes: Uint8Array): Steps<Uint8Array> {
  const clean = yield* countInSteps(bytes, cleanBytes);
  if (clean === bytes.length) return bytes;

  let length = clean;
  for (let i = clean; i < bytes.length; yield) {
    const end = Math.min(i + STEP_BYTES, bytes.length);
    for (; i < end; i++) length += escapedLength(bytes[i]!);
  }
  const written = new Uint8Array(length);
  written.set(bytes.subarray(0, clean));
  let at = clean;
  for (let i = clean; i < bytes.length; yield) {
    const end = Math.min(i + STEP_BYTES, bytes.length);
    while (i < end) {
      const byte = bytes[i]!;
      if (byte < 0x80) {
        at = writeAscii(written, at, byte);
        i += 1;
      } else {
        const codePoint = decodeAt(bytes, i);
        at = writeCodePoint(written, at, codePoint);
        i += codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
      }
    }
  }
  return written;
}

const ONES = 0x01010101;
const HIGH_BITS = 0x80808080 | 0;
const SPACES = 0x20202020;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;

/**
 * How many bytes at the front are written as they are. Eight at a time, since this is a scan over whole attachments:
 * in a word of plain bytes none has its high bit set, nor gets it by adding 1 (0x7f), by taking off 0x20 (controls) or
 * by taking off 1 after it was compared with a quote and a backslash. Carries come only from bytes that are found.
 */
function cleanBytes(bytes: Uint8Array): number {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const last = bytes.length - 8;
  let clean = 0;
  for (; clean <= last; clean += 8) {
    const a = words.getInt32(clean, true);
    const b = words.getInt32(clean + 4, true);
    const marksOfA = a | (a + ONES) | (a - SPACES) | ((a ^ QUOTES) - ONES) | ((a ^ BACKSLASHES) - ONES);
    const marksOfB = b | (b + ONES) | (b - SPACES) | ((b ^ QUOTES) - ONES) | ((b ^ BACKSLASHES) - ONES);
    if (((marksOfA | marksOfB) & HIGH_BITS) !== 0) break;
  }
  return clean + countPlain(bytes.subarray(clean), NEEDS_ESCAPE);
}

/** Every lead byte stands for its whole character: `\uXXXX`, or two of them from four bytes on. */
function escapedLength(byte: number): number {
  if (byte < 0x80) return ESCAPED_LENGTH[byte]!;
  if (byte < 0xc0) return 0;
  return byte < 0xf0 ? 6 : 12;
}

function writeAscii(written: Uint8Array, at: number, byte: number): number {
  const length = ESCAPED_LENGTH[byte]!;
  if (length === 6) return writeUnit(written, at, byte);
  if (length === 2) written[at++] = BACKSLASH;
  written[at++] = length === 2 ? SHORT_ESCAPE[byte]! : byte;
  return at;
}

function writeCodePoint(written: Uint8Array, at: number, codePoint: number): number {
  if (codePoint < 0x10000) return writeUnit(written, at, codePoint);
  const offset = codePoint - 0x10000;
  return writeUnit(written, writeUnit(written, at, 0xd800 + (offset >> 10)), 0xdc00 + (offset & 0x3ff));
}

function writeUnit(written: Uint8Array, at: number, unit: number): number {
  written[at] = BACKSLASH;
  written[at + 1] = 0x75; // u
  written[at + 2] = HEX_DIGITS[unit >> 12]!;
  written[at + 3] = HEX_DIGITS[(unit >> 8) & 15]!;
  written[at + 4] = HEX_DIGITS[(unit >> 4) & 15]!;
  written[at + 5] = HEX_DIGITS[unit & 15]!;
  return at + 6;
}

function decodeAt(bytes: Uint8Array, i: number): number {
  const lead = bytes[i]!;
  const second = bytes[i + 1]! & 0x3f;
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second;
  const third = bytes[i + 2]! & 0x3f;
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | (second << 6) | third;
  return ((lead & 0x07) << 18) | (second << 12) | (third << 6) | (bytes[i + 3]! & 0x3f);
}

const BASE64_ALPHABET = bytesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const NOT_BASE64 = 64;
const WHITE_SPACE = 65;
const PADDING = 66;
/** Six-bit value of a byte; the URL-safe letters count as the standard ones. */
const SEXTET = new Uint8Array(256).fill(NOT_BASE64);
for (const [value, letter] of BASE64_ALPHABET.entries()) SEXTET[letter] = value;
for (const [letter, standard] of [
  ['-', '+'],
  ['_', '/'],
] as const) {
  SEXTET[letter.charCodeAt(0)] = SEXTET[standard.charCodeAt(0)]!;
}
for (const space of bytesOf('\t\n\f\r ')) SEXTET[space] = WHITE_SPACE;
SEXTET[EQUALS] = PADDING;
/** 0 for the 64 letters of standard base64, 1 for all other bytes. */
const IS_NOT_STANDARD = new Uint8Array(256).fill(1);
for (const letter of BASE64_ALPHABET) IS_NOT_STANDARD[letter] = 0;

/** How many bits of the last letter carry no data, by letters in the last group of four. */
const UNUSED_BITS = [0, 0, 0x0f, 0x03] as const;

/** What decoding and encoding again would give: white space gone, URL-safe letters mapped, padding and unused bits set right. */
function* writeBase64(bytes: Uint8Array): Steps<Uint8Array | undefined> {
  const standard = yield* countInSteps(bytes, (some) => countPlain(some, IS_NOT_STANDARD));
  if (isCanonicalEnd(bytes, standard)) return bytes;

  const written = new Uint8Array(bytes.length + 3);
  written.set(bytes.subarray(0, standard));
  let at = standard;
  let isPadded = false;
  for (let i = standard; i < bytes.length; yield) {
    const end = Math.min(i + STEP_BYTES, bytes.length);
    for (; i < end; i++) {
      const value = SEXTET[bytes[i]!]!;
      if (value === WHITE_SPACE) continue;
      if (value === PADDING) isPadded = true;
      else if (value === NOT_BASE64 || isPadded) return undefined;
      else written[at++] = BASE64_ALPHABET[value]!;
    }
  }
  const lettersInLastGroup = at & 3;
  if (lettersInLastGroup === 1) return undefined;
  if (lettersInLastGroup === 0) return written.subarray(0, at);
  written[at - 1] = BASE64_ALPHABET[SEXTET[written[at - 1]!]! & ~UNUSED_BITS[lettersInLastGroup as 2 | 3]]!;
  while ((at & 3) !== 0) written[at++] = EQUALS;
  return written.subarray(0, at);
}

/** Whether the padding that starts at `letters` is just what canonical base64 of that many letters ends with. */
function isCanonicalEnd(bytes: Uint8Array, letters: number): boolean {
  if ((bytes.length & 3) !== 0) return false;
  const paddingLength = bytes.length - letters;
  if (paddingLength === 0) return true;
  if (paddingLength > 2) return false;
  for (let i = letters; i < bytes.length; i++) if (bytes[i] !== EQUALS) return false;
  return (SEXTET[bytes[letters - 1]!]! & UNUSED_BITS[(4 - paddingLength) as 2 | 3]) === 0;
}

/** How many leading bytes have 0 in the table; eight at a time, which is more than twice as fast as one by one. */
function countPlain(bytes: Uint8Array, table: Uint8Array): number {
  let i = 0;
  const lastEight = bytes.length - 8;
  while (
    i <= lastEight &&
    (table[bytes[i]!]! |
      table[bytes[i + 1]!]! |
      table[bytes[i + 2]!]! |
      table[bytes[i + 3]!]! |
      table[bytes[i + 4]!]! |
      table[bytes[i + 5]!]! |
      table[bytes[i + 6]!]! |
      table[bytes[i + 7]!]!) ===
      0
  ) {
    i += 8;
  }
  while (i < bytes.length && table[bytes[i]!] === 0) i += 1;
  return i;
}

function bytesOf(ascii: string): Uint8Array {
  return Uint8Array.from(ascii, (character) => character.charCodeAt(0));
}
