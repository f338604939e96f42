import { CLASS_RUNS } from './classes.generated.js';

/**
 * What the patterns of tiktoken can tell apart about one character. The classes are tiktoken's own,
 * taken from its regex engine by `scripts/generate-unicode-classes.mjs`: JavaScript's `\p{…}` follows a
 * newer Unicode (about 4,700 code points differ), and its `\s` has U+FEFF and lacks U+0085.
 */
export type CharacterClass = number;

/** Anything that no other class names: punctuation, symbols, controls, unassigned. */
export const SYMBOL = 0;
/** `\p{Lu}` and `\p{Lt}`. */
export const UPPER = 1;
/** `\p{Ll}`. */
export const LOWER = 2;
/** `\p{Lm}` and `\p{Lo}`: letters that go with both cases. */
export const CASELESS = 3;
/** `\p{M}`. */
export const MARK = 4;
/** `\p{N}`. */
export const NUMBER = 5;
/** `\s` without the two newlines. */
export const BLANK = 6;
/** `\r` and `\n`. */
export const NEWLINE = 7;
/** `'`, a symbol that may open a contraction. */
export const APOSTROPHE = 8;

export const CLASS_COUNT = 9;

/** The letters of the generated runs, in the order of the classes above. */
const RUN_LETTERS = 'SULCMNBR';

const CODE_POINTS = 0x110000;

const classes = expand(CLASS_RUNS);

/** The class of the character that starts at `at`. The bytes must be well-formed UTF-8. */
export function classAt(bytes: Uint8Array, at: number): CharacterClass {
  const lead = bytes[at] as number;
  return classes[lead < 0x80 ? lead : codePointAt(bytes, at)] as number;
}

/** Bytes of the character whose first byte is `lead`, in well-formed UTF-8. */
export function characterBytes(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** The position of the first byte of the character that `at` stands in. */
export function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && ((bytes[start] as number) & 0xc0) === 0x80) start--;
  return start;
}

export function isLetter(characterClass: CharacterClass): boolean {
  return characterClass >= UPPER && characterClass <= CASELESS;
}

export function isWhitespace(characterClass: CharacterClass): boolean {
  return characterClass === BLANK || characterClass === NEWLINE;
}

/** The classes of all code points, as the kernel knows them: an apostrophe is a symbol. */
export function kernelClasses(): Uint8Array {
  const copy = classes.slice();
  copy[0x27] = SYMBOL;
  return copy;
}

function codePointAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  const second = (bytes[at + 1] as number) & 0x3f;
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second;
  const third = (bytes[at + 2] as number) & 0x3f;
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | (second << 6) | third;
  return ((lead & 0x07) << 18) | (second << 12) | (third << 6) | ((bytes[at + 3] as number) & 0x3f);
}

/** One byte a code point: 1.1 MB of address space, of which a text touches a few pages. */
function expand(runs: string): Uint8Array {
  const expanded = new Uint8Array(CODE_POINTS);
  let codePoint = 0;
  for (const run of runs.matchAll(/([A-Z])([0-9a-z]*)/g)) {
    const length = run[2] ? Number.parseInt(run[2], 36) : 1;
    expanded.fill(RUN_LETTERS.indexOf(run[1] as string), codePoint, codePoint + length);
    codePoint += length;
  }
  if (codePoint !== CODE_POINTS) throw new Error('classes.generated.ts does not cover all code points');
  expanded[0x27] = APOSTROPHE;
  return expanded;
}
