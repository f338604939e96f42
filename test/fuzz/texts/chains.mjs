import { readEncoding } from '../reference/ranks.mjs';
import { LOWER, UPPER } from './alphabets.mjs';

/** @typedef {import('../random.mjs').Random} Random */

const VOCABULARIES = ['o200k_base', 'cl100k_base', 'r50k_base'];
/** Of one piece each. */
const ALPHABETS = [LOWER, UPPER, [...'!#$%&*+,-.:;<=>?@^_|~()[]{}"`\\'], [...'=-_*#.'], [...'aeionrst']];
/** The best of this many continuations are taken, so that the rank falls slowly and the chain gets long. */
const CHOICES = 3;

/**
 * For each letter what may follow it, by falling rank of the pair.
 * @typedef {Map<string, { letter: string, rank: number }[]>} Pairs
 */

/** For each vocabulary and alphabet. @type {Pairs[] | undefined} */
let tables;

/**
 * Letters whose pairs merge from the end to the start: each pair has a lower rank than the one before it, so that the
 * last letter decides where the first tokens end. The hardest text for an encoder that reads from the start.
 * @param {Random} random
 * @param {number} characters
 */
export function chainText(random, characters) {
  tables ??= VOCABULARIES.flatMap((name) => {
    const { ranks } = readEncoding(name);
    return ALPHABETS.map((letters) => pairsOf(ranks, letters));
  });
  const pairs = random.pick(tables);
  const letters = [...pairs.keys()];
  const text = [random.pick(letters)];
  for (let limit = Number.POSITIVE_INFINITY; text.length < characters; ) {
    const following = pairs.get(text[text.length - 1]) ?? [];
    const first = following.findIndex(({ rank }) => rank < limit);
    // Where a chain ends the next begins.
    const { letter, rank } =
      first < 0
        ? { letter: random.pick(letters), rank: Number.POSITIVE_INFINITY }
        : following[Math.min(first + random.below(CHOICES), following.length - 1)];
    text.push(letter);
    limit = rank;
  }
  return text.join('');
}

/** @param {Map<string, number>} ranks @param {string[]} letters @returns {Pairs} */
function pairsOf(ranks, letters) {
  return new Map(
    letters.map((first) => {
      const following = letters.map((letter) => ({ letter, rank: ranks.get(first + letter) }));
      return [first, following.filter(({ rank }) => rank !== undefined).sort((a, b) => b.rank - a.rank)];
    }),
  );
}
