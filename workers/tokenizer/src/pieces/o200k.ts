import {
  CASELESS,
  type CharacterClass,
  characterBytes,
  characterStart,
  classAt,
  LOWER,
  MARK,
  NUMBER,
  UPPER,
} from '../unicode/character-class.js';
import { anyCaseContractionEnd } from './contraction.js';
import {
  isLetterPrefix,
  oneNumberEnd,
  runEnd,
  type Stretch,
  skipSpace,
  symbolsEnd,
  threeNumbersEnd,
  whitespaceOrLinesEnd,
} from './runs.js';

/**
 * Where the piece ends that starts at `at`, by the pattern of o200k_base, with `U` for
 * `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`, `L` for `[\p{Ll}\p{Lm}\p{Lo}\p{M}]` and `C` for
 * `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`:
 * `[^\r\n\p{L}\p{N}]?U*L+C|[^\r\n\p{L}\p{N}]?U+L*C|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
 */
export function o200kPieceEnd(stretch: Stretch, at: number): number {
  const wordEnd = o200kWordEnd(stretch, at);
  if (wordEnd > at) return anyCaseContractionEnd(stretch, wordEnd);
  return o200kOtherEnd(stretch, at, threeNumbersEnd);
}

/** The same for Tekken's pattern (Mistral), which has no contractions, and digits one by one. */
export function tekkenPieceEnd(stretch: Stretch, at: number): number {
  const wordEnd = o200kWordEnd(stretch, at);
  return wordEnd > at ? wordEnd : o200kOtherEnd(stretch, at, oneNumberEnd);
}

/** Where the letters end that a piece at `at` begins with, perhaps behind another character; `at` if there are none. */
function o200kWordEnd(stretch: Stretch, at: number): number {
  const first = classAt(stretch.bytes, at);
  const word = isLetterPrefix(first) ? at + characterBytes(stretch.bytes[at] as number) : at;
  // A mark is tried as the character before the letters first, then as a letter itself.
  const lowerEnd = lowerWordEnd(stretch, word) ?? (first === MARK ? lowerWordEnd(stretch, at) : undefined);
  const wordEnd = lowerEnd ?? runEnd(stretch, word, isUpperLike);
  return lowerEnd !== undefined || wordEnd > word ? wordEnd : at;
}

function o200kOtherEnd(
  stretch: Stretch,
  at: number,
  numbersEnd: (stretch: Stretch, at: number) => number,
): number {
  if (classAt(stretch.bytes, at) === NUMBER) return numbersEnd(stretch, at);

  const symbolsStart = skipSpace(stretch, at);
  const symbols = symbolsEnd(stretch, symbolsStart);
  if (symbols > symbolsStart) return newlinesOrSlashesEnd(stretch, symbols);

  return whitespaceOrLinesEnd(stretch, at);
}

/** `U*L+`: where it ends, or undefined if it does not match at `start`. */
function lowerWordEnd(stretch: Stretch, start: number): number | undefined {
  const { bytes, end } = stretch;
  const upperEnd = runEnd(stretch, start, isUpperLike);
  if (upperEnd < end && classAt(bytes, upperEnd) === LOWER) return runEnd(stretch, upperEnd, isLowerLike);
  // U* gives back until L+ finds a character: the last one that goes with both cases. L+ gets only that one.
  for (let last = upperEnd; last > start; ) {
    const position = characterStart(bytes, last - 1);
    if (classAt(bytes, position) !== UPPER) return last;
    last = position;
  }
  return undefined;
}

function isUpperLike(characterClass: CharacterClass): boolean {
  return characterClass === UPPER || characterClass === CASELESS || characterClass === MARK;
}

function isLowerLike(characterClass: CharacterClass): boolean {
  return characterClass >= LOWER && characterClass <= MARK;
}

/** `[\r\n/]*` */
function newlinesOrSlashesEnd({ bytes, end }: Stretch, at: number): number {
  let position = at;
  while (position < end && (bytes[position] === 0x0a || bytes[position] === 0x0d || bytes[position] === 0x2f))
    position++;
  return position;
}
