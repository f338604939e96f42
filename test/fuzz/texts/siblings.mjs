import { LOWER, UPPER } from './alphabets.mjs';
import { EDGE_BYTES } from './sizes.mjs';

/** @typedef {import('../random.mjs').Random} Random */

const CHARACTERS = [...LOWER, ...LOWER, ...UPPER, '\0', '\u00e9', '\u00c9', '\u4e2d', '\u0301', '!', '='];

/** What stands between two of them; after some of it they are pieces of their own. */
const SEPARATORS = [' ', '\n', '1', '  ', '\n\n', ' (', '.', ', '];

/**
 * Pieces that differ in one place only, one after the other: what is remembered of one must not be taken for another.
 * @param {Random} random
 */
export function siblings(random) {
  const length = random.oneIn(2) ? random.between(2, 34) : random.pick(EDGE_BYTES);
  const some = Array.from({ length: random.between(1, 5) }, () => random.pick(CHARACTERS));
  let piece = Array.from({ length }, () => random.pick(some));
  const separator = random.pick(SEPARATORS);
  return random.repeat(random.between(2, 9), () => {
    const text = piece.join('') + separator;
    piece = changed(random, piece);
    return text;
  });
}

/** @param {Random} random @param {string[]} piece */
function changed(random, piece) {
  const other = random.pick(CHARACTERS);
  switch (random.below(5)) {
    case 0:
      return [...piece, other];
    case 1:
      return piece.length > 1 ? piece.slice(0, -1) : piece;
    case 2:
      return [...piece.slice(0, -1), other];
    default:
      return piece.with(random.below(piece.length), other);
  }
}
