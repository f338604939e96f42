import { LOWER, WORDS } from './alphabets.mjs';
import { chainText } from './chains.mjs';

/** @typedef {import('../random.mjs').Random} Random */

/**
 * Only characters that were letters, numbers or symbols long ago: the plain reference has the Unicode of Node. One
 * piece each in one pattern at least.
 */
const ALPHABETS = [
  ...'abcdefghijklmnopqrstuvwxyz ab etaoinshr th q ABCDEFGHIJKLMNOPQRSTUVWXYZ AB X aB abcXYZ'.split(' '),
  ...'0 0123456789 = - -= ., !?.,:; / #* /+ _ <> "\\ \0 \0\u0001 \u2014 \u2500\u2502'.split(' '),
  ...'\u4e2d \u4e2d\u6587\u65e5\u672c\u8a9e\u7684\u662f \u3042\u3044\u30ab \ud55c\uad6d\uc5b4'.split(' '),
  ...'\u0430\u0431\u0432\u0433\u0434\u0435 \u0410\u0411 \u00e9\u00e8\u00fc\u00f6a \u03b1\u03b2\u03b3'.split(
    ' ',
  ),
  ...'\u0627\u0644\u0645 \u05e9\u05dc\u05d5 \u0915\u093e\u0928 \u0e01\u0e32\u0e19 a\u0301 \u0301'.split(' '),
  ...'\u0663\u0664 \u{1f600} \u{1f600}\u{1f468}\u200d \u{20000}\u{20001}'.split(' '),
  ...[' ', '\n', ' \n', ' \t', '\r\n', '\t', '\u00a0', '\u3000', "'", "'s"],
].map((letters) => [...letters]);

/** What stands before and behind. */
const SURROUNDINGS = [
  ...['', ' ', '  ', '\n', '\r\n', 'x', 'X', '1', '.', '(', '/', ' the', "'s", "It's ", '123 '],
  ...['\u4e2d', '\u00e9', '\u0301'],
];

/**
 * A text with pieces from some dozens of bytes to some hundreds of thousands, which tiktoken would take hours for.
 * @param {Random} random
 */
export function longPieceText(random) {
  return random.repeat(random.between(1, 3), () => {
    const before = random.pick(SURROUNDINGS) + random.pick(SURROUNDINGS);
    return before + longPiece(random, wantedCharacters(random)) + random.pick(SURROUNDINGS);
  });
}

/** @param {Random} random */
function wantedCharacters(random) {
  if (random.oneIn(60)) return random.between(20_000, 150_000);
  if (random.oneIn(80)) return random.pick([65_536, 131_072, 262_144, 400_000]) + random.between(-40, 40);
  if (random.oneIn(4)) return random.between(1000, 8000);
  return random.between(60, 1000);
}

/** @param {Random} random @param {number} characters */
function longPiece(random, characters) {
  const letters = random.pick(ALPHABETS);
  switch (random.below(7)) {
    case 0:
      // Of one period.
      return periods(unit(random, letters, random.between(1, 70)), characters);
    case 1: {
      // Of periods that change now and then.
      const units = Array.from({ length: 3 }, () => unit(random, letters, random.between(1, 9)));
      return fill(characters, () => random.pick(units).repeat(random.between(1, 40)));
    }
    case 2:
      // Of words, which have long tokens.
      return fill(characters, () => random.pick(WORDS).replaceAll(/[^a-z]/g, ''));
    case 3:
      // Of one period, with another character here and there.
      return fill(characters, () => random.pick(letters).repeat(random.between(1, 300)) + random.pick(LOWER));
    case 4:
      return chainText(random, characters);
    case 5:
      // The same chain again and again.
      return periods(chainText(random, random.between(10, 200)), characters);
    default:
      return fill(characters, () => random.pick(letters));
  }
}

/** @param {string} period @param {number} characters */
function periods(period, characters) {
  return period.repeat(Math.ceil(characters / period.length)).slice(0, characters);
}

/** @param {Random} random @param {string[]} letters @param {number} length */
function unit(random, letters, length) {
  return random.repeat(length, () => random.pick(letters));
}

/** @param {number} characters @param {() => string} make */
function fill(characters, make) {
  const parts = [];
  for (let length = 0; length < characters; length += parts[parts.length - 1].length)
    parts.push(make() || 'x');
  return parts.join('').slice(0, characters);
}
