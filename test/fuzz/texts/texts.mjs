import { chainText } from './chains.mjs';
import { mutate } from './mutate.mjs';
import { PARTS, seam } from './parts.mjs';
import { siblings } from './siblings.mjs';
import { SNIPPETS } from './snippets.mjs';
import { tokenText } from './token-texts.mjs';

/** @typedef {import('../random.mjs').Random} Random */

/** tiktoken takes about a millisecond for so much. */
const MOST_CHARACTERS = 3000;

/** Weight, and how such a text is made. */
const WEIGHTED = /** @type {[number, (random: Random) => string][]} */ ([
  [8, mixed],
  [4, fewThings],
  [3, snippet],
  [2, siblings],
  [2, tokenText],
  [1, (random) => chainText(random, random.between(5, 200)) + seam(random)],
  [1, (random) => twoKinds(random, 20)],
  [1, (random) => repeated(random)],
]);

const STYLES = WEIGHTED.flatMap(([weight, make]) => Array(weight).fill(make));

/**
 * A text of some dozens of bytes, seldom up to a few thousand, that aims at the seams of the patterns and of the
 * kernel.
 * @param {Random} random
 */
export function seamText(random) {
  const text = random.pick(STYLES)(random);
  return text.length > MOST_CHARACTERS ? text.slice(0, MOST_CHARACTERS) : text;
}

/** @param {Random} random */
function mixed(random) {
  const most = random.oneIn(40) ? 100 : random.pick([2, 4, 8, 14]);
  return random.repeat(random.between(1, most), () => random.pick(PARTS)(random));
}

/** Two to five seams in all orders: finds what the patterns do where their alternatives meet. @param {Random} random */
function fewThings(random) {
  const things = Array.from({ length: random.between(2, 5) }, () => seam(random));
  return random.repeat(random.between(1, random.oneIn(8) ? 70 : 14), () => random.pick(things));
}

/** A stretch of ordinary text with changes, perhaps joined to another. @param {Random} random */
function snippet(random) {
  const some = () => {
    const whole = random.pick(SNIPPETS);
    const start = random.below(whole.length);
    return whole.slice(start, start + random.between(5, 90));
  };
  return mutate(random, random.oneIn(3) ? some() + some() : some());
}

/** @param {Random} random @param {number} most */
function twoKinds(random, most) {
  const makers = [random.pick(PARTS), random.pick(PARTS)];
  return random.repeat(random.between(1, most), () => random.pick(makers)(random));
}

/** The same parts again and again: what was remembered is met again, at other places. @param {Random} random */
function repeated(random) {
  const parts = Array.from({ length: 3 }, () => random.pick(PARTS)(random).slice(0, 40));
  return random.repeat(random.between(2, 20), () => random.pick(parts));
}
