import {
  APOSTROPHE,
  BLANK,
  type CharacterClass,
  characterBytes,
  classAt,
  isLetter,
  isWhitespace,
  MARK,
  NEWLINE,
  NUMBER,
  SYMBOL,
} from '../unicode/character-class.js';

/** A stretch of well-formed UTF-8 that is read as a text of its own. */
export interface Stretch {
  readonly bytes: Uint8Array;
  /** Where the stretch ends. */
  readonly end: number;
}

/** Where the run of characters with accepted classes ends that starts at `at`. */
export function runEnd(
  { bytes, end }: Stretch,
  at: number,
  accepts: (characterClass: CharacterClass) => boolean,
): number {
  let position = at;
  while (position < end && accepts(classAt(bytes, position)))
    position += characterBytes(bytes[position] as number);
  return position;
}

/** `\p{L}*` */
export const lettersEnd = (stretch: Stretch, at: number): number => runEnd(stretch, at, isLetter);

/** `[^\s\p{L}\p{N}]*` */
export const symbolsEnd = (stretch: Stretch, at: number): number => runEnd(stretch, at, isSymbol);

/** `\p{N}*` */
export const numbersEnd = (stretch: Stretch, at: number): number => runEnd(stretch, at, isNumber);

/** `[\r\n]*` */
export const newlinesEnd = (stretch: Stretch, at: number): number => runEnd(stretch, at, isNewline);

/** `\p{N}`, at a number. */
export function oneNumberEnd({ bytes }: Stretch, at: number): number {
  return at + characterBytes(bytes[at] as number);
}

/** `\p{N}{1,3}`, at a number. */
export function threeNumbersEnd({ bytes, end }: Stretch, at: number): number {
  let position = at;
  for (let taken = 0; taken < 3 && position < end && classAt(bytes, position) === NUMBER; taken++)
    position += characterBytes(bytes[position] as number);
  return position;
}

/** ` ?` */
export function skipSpace({ bytes }: Stretch, at: number): number {
  return bytes[at] === 0x20 ? at + 1 : at;
}

/** `\s*[\r\n]+|\s+(?!\S)|\s+`, at a whitespace character. */
export function whitespaceOrLinesEnd(stretch: Stretch, at: number): number {
  const { bytes } = stretch;
  const end = runEnd(stretch, at, isWhitespace);
  // \s* gives back until a newline follows: the last one of the run. Newlines are single bytes.
  for (let position = end - 1; position >= at; position--)
    if (bytes[position] === 0x0a || bytes[position] === 0x0d) return position + 1;
  return leaveLastCharacter(stretch, at, end);
}

/** `\s+(?!\S)|\s+`, at a whitespace character. */
export function whitespaceEnd(stretch: Stretch, at: number): number {
  return leaveLastCharacter(stretch, at, runEnd(stretch, at, isWhitespace));
}

/** A whitespace run before something else leaves its last character, unless it has only one. */
function leaveLastCharacter({ bytes, end: stretchEnd }: Stretch, at: number, end: number): number {
  if (end === stretchEnd) return end;
  let last = end - 1;
  while (((bytes[last] as number) & 0xc0) === 0x80) last--;
  return last === at ? end : last;
}

/** `[^\s\p{L}\p{N}]` */
export function isSymbol(characterClass: CharacterClass): boolean {
  return characterClass === SYMBOL || characterClass === MARK || characterClass === APOSTROPHE;
}

/** `[^\r\n\p{L}\p{N}]`, the character that may stand before letters in o200k and cl100k. */
export function isLetterPrefix(characterClass: CharacterClass): boolean {
  return isSymbol(characterClass) || characterClass === BLANK;
}

function isNumber(characterClass: CharacterClass): boolean {
  return characterClass === NUMBER;
}

function isNewline(characterClass: CharacterClass): boolean {
  return characterClass === NEWLINE;
}
