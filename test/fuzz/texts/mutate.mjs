import {
  CONTRACTIONS,
  CONTROLS,
  DIGITS,
  LETTERS,
  MARKS,
  SYMBOL_TAILS,
  SYMBOLS,
  WHITESPACE,
} from './alphabets.mjs';

const INSERTED = [WHITESPACE, DIGITS, CONTRACTIONS, SYMBOLS, SYMBOL_TAILS, MARKS, LETTERS, CONTROLS];

/** @typedef {import('../random.mjs').Random} Random */

/** One small change each. Positions may fall between the halves of a character, which makes lone surrogates. */
const CHANGES = [
  (random, text) => splice(random, text, () => random.pick(random.pick(INSERTED)), 0),
  (random, text) => splice(random, text, () => random.pick(random.pick(INSERTED)), 1),
  (random, text) => splice(random, text, () => '', random.between(1, 9)),
  (random, text) => splice(random, text, (taken) => taken + taken, random.between(1, 20)),
  (random, text) =>
    splice(random, text, (taken) => taken.repeat(random.between(2, 40)), random.between(1, 2)),
  (random, text) => splice(random, text, (taken) => taken.toUpperCase(), random.between(1, 9)),
  (random, text) => splice(random, text, (taken) => taken.toLowerCase(), random.between(1, 9)),
  (random, text) => splice(random, text, (taken) => [...taken].reverse().join(''), random.between(2, 9)),
  (random, text) => splice(random, text, (taken) => taken.normalize('NFD'), random.between(1, 20)),
  (random, text) => {
    const shift = random.pick([-1, 1, 32, -32]);
    const moved = (taken) => String.fromCharCode((taken.charCodeAt(0) + shift) & 0xffff);
    return splice(random, text, moved, 1);
  },
  (_, text) => text.replaceAll('\n', '\r\n'),
  (random, text) => text.replaceAll(' ', random.pick(WHITESPACE)),
  (random, text) => text.slice(random.below(text.length)),
];

/** Changes a text in one to five places. @param {Random} random @param {string} text */
export function mutate(random, text) {
  let mutated = text;
  for (let times = random.between(1, 5); times > 0 && mutated !== ''; times--)
    mutated = random.pick(CHANGES)(random, mutated);
  return mutated;
}

/** @param {Random} random @param {string} text @param {(taken: string) => string} change @param {number} length */
function splice(random, text, change, length) {
  const at = random.below(text.length);
  return text.slice(0, at) + change(text.slice(at, at + length)) + text.slice(at + length);
}
