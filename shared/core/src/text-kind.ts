/**
 * What a text is made of, as far as tokenizers differ: counts of one and the same text in two vocabularies stand in
 * another proportion for each of these. Plans hold positions in this list.
 */
export const TEXT_KINDS = [
  /** Running text in alphabets of letters; and what is none of the others. */
  'prose',
  'code',
  /** JSON and what reads like it: tables, logs, figures. */
  'json',
  /** Chinese, Japanese, Korean. */
  'cjk',
  /** Bytes written as letters and digits, without blanks. */
  'base64',
] as const;

export type TextKind = (typeof TEXT_KINDS)[number];

/** Longer texts are looked at in so many windows, evenly spread, so that a megabyte costs no more than a kilobyte. */
const WINDOWS = 16;
const WINDOW_BYTES = 64;

/**
 * The kind of a text, told by the characters in at most 1024 of its bytes: a few microseconds, the same for the same
 * bytes however they are divided. UTF-8; of a mixed text the kind that prevails.
 */
export function textKindOf(pieces: readonly Uint8Array[]): TextKind {
  const seen = new Uint32Array(CLASSES);
  let bytes = 0;
  for (const sample of samplesOf(pieces)) {
    bytes += sample.length;
    for (const byte of sample) {
      const at = CLASS_OF_BYTE[byte] as number;
      seen[at] = (seen[at] as number) + 1;
    }
  }
  return kindOfShares((at) => (seen[at] as number) / Math.max(bytes, 1), bytes);
}

/** Classes of bytes, as positions of their counters. */
const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
const BLANK = 3;
/** Marks between values of JSON and tables. */
const DATA_MARK = 4;
/** Marks of programs that prose seldom has. */
const CODE_MARK = 5;
/** Beside letters and digits, those of base64. */
const BASE64_MARK = 6;
/** The first byte of three of a character of Chinese, Japanese or Korean. */
const CJK_LEAD = 7;
const CLASSES = 8;

const CLASS_OF_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (/[A-Za-z]/.test(character)) return LETTER;
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[ \t\r\n]/.test(character)) return BLANK;
  if ('"{}[]:,|'.includes(character)) return DATA_MARK;
  if ('();=<>_*&!$#\\`'.includes(character)) return CODE_MARK;
  if ('+/-'.includes(character)) return BASE64_MARK;
  // U+3000 to U+D7FF, but for a few rare scripts between them.
  if (byte >= 0xe3 && byte <= 0xed) return CJK_LEAD;
  return OTHER;
});

function kindOfShares(share: (at: number) => number, bytes: number): TextKind {
  if (3 * share(CJK_LEAD) >= 0.3) return 'cjk';
  const letters = share(LETTER) + share(DIGIT) + share(BASE64_MARK);
  if (bytes >= WINDOW_BYTES && letters >= 0.97) return 'base64';
  const data = share(DATA_MARK) + share(DIGIT);
  const code = share(CODE_MARK);
  if (data >= 0.13 && data >= 2.5 * code) return 'json';
  return code >= 0.045 ? 'code' : 'prose';
}

/** All of a short text; windows of a long one. */
function* samplesOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  const totalBytes = pieces.reduce((sum, { length }) => sum + length, 0);
  if (totalBytes <= WINDOWS * WINDOW_BYTES) return yield* pieces;
  for (let i = 0; i < WINDOWS; i++) {
    const start = Math.floor((i * (totalBytes - WINDOW_BYTES)) / (WINDOWS - 1));
    yield* between(pieces, start, start + WINDOW_BYTES);
  }
}

function* between(pieces: readonly Uint8Array[], start: number, end: number): Generator<Uint8Array> {
  let at = 0;
  for (const piece of pieces) {
    if (at < end && at + piece.length > start) yield piece.subarray(Math.max(start - at, 0), end - at);
    at += piece.length;
  }
}
