import type { PatternFamily } from './encodings.js';
import {
  APOSTROPHE,
  BLANK,
  type CharacterClass,
  CLASS_COUNT,
  isLetter,
  isWhitespace,
  LOWER,
  MARK,
  NEWLINE,
  NUMBER,
  UPPER,
} from './unicode/character-class.js';

const UNSAFE = 0;
export const SAFE = 1;
/** Safe unless an apostrophe stands before the left character: `'lL` may be one contraction. */
export const UNLESS_AFTER_APOSTROPHE = 2;

type Rule = typeof UNSAFE | typeof SAFE | typeof UNLESS_AFTER_APOSTROPHE;

/**
 * Whether a text may be cut between a character of class `left` and one of class `right`
 * (specs/counter-kernel.md §4). No piece of the family's pattern spans a safe cut. No pattern looks behind,
 * and the only look-ahead, `\s+(?!\S)`, sees past a piece at the end of whitespace only: so nothing is safe
 * after whitespace.
 */
function o200kRule(left: CharacterClass, right: CharacterClass): Rule {
  if (isSafeAroundNumbersAndBlanks(left, right)) return SAFE;
  // After a letter a piece goes on with letters, marks or a contraction.
  if (isLetter(left) && isSymbolOtherThanMark(right) && right !== APOSTROPHE) return SAFE;
  if (left === LOWER && right === UPPER) return UNLESS_AFTER_APOSTROPHE;
  return UNSAFE;
}

function cl100kRule(left: CharacterClass, right: CharacterClass): Rule {
  if (isSafeAroundNumbersAndBlanks(left, right)) return SAFE;
  // After a letter a piece goes on with letters only.
  return isLetter(left) && (isSymbolOtherThanMark(right) || right === MARK) ? SAFE : UNSAFE;
}

/**
 * Beyond a leading space, which is whitespace, a piece of GPT-2 holds only letters, only numbers or only
 * symbols, except that a contraction begins with an apostrophe. So every change of kind is a safe cut, unless
 * it leaves whitespace or stands between an apostrophe and a letter.
 */
function gpt2Rule(left: CharacterClass, right: CharacterClass): Rule {
  if (isWhitespace(left) || kindOf(left) === kindOf(right)) return UNSAFE;
  return left === APOSTROPHE && isLetter(right) ? UNSAFE : SAFE;
}

/**
 * Texts of Qwen are brought to NFC first, so that a cut must also be safe in what becomes of both sides. Nothing joins what
 * stands before it but marks and letters; and a letter may fall apart into a letter and a mark, so that only
 * what is safe behind both is safe.
 */
function qwen2Rule(left: CharacterClass, right: CharacterClass): Rule {
  if (isWhitespace(left) || right === MARK) return UNSAFE;
  return (left === NUMBER) !== (right === NUMBER) || right === BLANK ? SAFE : UNSAFE;
}

/** What o200k and cl100k have in common. */
function isSafeAroundNumbersAndBlanks(left: CharacterClass, right: CharacterClass): boolean {
  if (isWhitespace(left)) return false;
  // Numbers stand in pieces of their own; blanks only begin pieces, or are all of them.
  if ((left === NUMBER) !== (right === NUMBER) || right === BLANK) return true;
  // Newlines follow something else only at the end of a piece of symbols.
  return right === NEWLINE && (isLetter(left) || left === NUMBER);
}

function isSymbolOtherThanMark(characterClass: CharacterClass): boolean {
  return kindOf(characterClass) === 'symbol' && characterClass !== MARK;
}

function kindOf(characterClass: CharacterClass): 'letter' | 'number' | 'whitespace' | 'symbol' {
  if (isLetter(characterClass)) return 'letter';
  if (isWhitespace(characterClass)) return 'whitespace';
  return characterClass === NUMBER ? 'number' : 'symbol';
}

/** The rules as tables, at `left * CLASS_COUNT + right`. */
export const SPLIT_RULES: Readonly<Record<PatternFamily, Uint8Array>> = {
  o200k: tabulate(o200kRule),
  cl100k: tabulate(cl100kRule),
  gpt2: tabulate(gpt2Rule),
  llama3: tabulate(cl100kRule),
  qwen2: tabulate(qwen2Rule),
  tekken: tabulate(o200kRule),
};

function tabulate(rule: (left: CharacterClass, right: CharacterClass) => Rule): Uint8Array {
  return Uint8Array.from({ length: CLASS_COUNT * CLASS_COUNT }, (_, cell) =>
    rule(Math.floor(cell / CLASS_COUNT), cell % CLASS_COUNT),
  );
}
