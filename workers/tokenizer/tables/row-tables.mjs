/**
 * Tables for long rows of small letters and of symbols: which tokens of together at most four characters stand
 * side by side stably, and the automaton that finds the last token of every prefix. See assembly/rows.ts.
 */
import { HAS_WORD_TABLES, layout } from './layout.mjs';

const NO_STATE = 0xffff;

/** Lengths of left and right token that stand side by side stably, for bits 0 to 5. */
const NEIGHBOURS = [
  [1, 1],
  [2, 1],
  [1, 2],
  [3, 1],
  [2, 2],
  [1, 3],
];
/** The last three are a token; the last four are one, or the end of a longer one. */
const IS_THREE = 64;
const IS_LONG = 128;

export function fillRowTables(image, family, { rankOf, halves }) {
  if (!HAS_WORD_TABLES.has(family)) return;
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i));
  const symbols = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter(
    (c) => !/[A-Za-z0-9]/.test(c),
  );
  const isStable = stability(halves);
  symbols.forEach((symbol, code) => {
    image[layout.ROW_CODES + symbol.charCodeAt(0)] = code;
  });
  fillRows(image, layout.ROW_LETTERS, letters, rowBits(letters, rankOf, isStable));
  fillRows(image, layout.ROW_SYMBOLS, symbols, rowBits(symbols, rankOf, isStable));
  fillNeighbours(image, letters, rankOf, isStable);
  fillStates(image);
}

/** isStablePair of assembly/pairs.ts, asked millions of times: so the pairs are in typed arrays. */
function stability(halves) {
  const slots = 1 << 19;
  const lefts = new Int32Array(slots).fill(-1),
    rights = new Int32Array(slots),
    ranks = new Int32Array(slots);
  const slotOf = (left, right) => {
    let slot = (Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)) >>> 13;
    while (lefts[slot] >= 0 && (lefts[slot] !== left || rights[slot] !== right))
      slot = (slot + 1) & (slots - 1);
    return slot;
  };
  const leftOf = new Int32Array(halves.length),
    rightOf = new Int32Array(halves.length);
  halves.forEach(([left, right], rank) => {
    const slot = slotOf(left, right);
    lefts[slot] = left;
    rights[slot] = right;
    ranks[slot] = rank;
    leftOf[rank] = left;
    rightOf[rank] = right;
  });
  return (left, right) => {
    for (let limit = Infinity; ; ) {
      const slot = slotOf(left, right);
      if (lefts[slot] >= 0 && ranks[slot] < limit) return false;
      if (left > right) {
        if (left < 256) return true;
        limit = left;
        left = rightOf[left];
      } else {
        if (right < 256) return true;
        limit = right + 1;
        right = leftOf[right];
      }
    }
  };
}

/** Tells of a row of four of these characters which tokens may end it, as bits. */
function rowBits(characters, rankOf, isStable) {
  const isOfRow = new RegExp(
    `^[${characters.map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')}]+$`,
  );
  const ids = [undefined, new Map(), new Map(), new Map()];
  const longEnds = new Set();
  for (const [token, id] of rankOf)
    if (isOfRow.test(token)) {
      if (token.length < 4) ids[token.length].set(token, id);
      else longEnds.add(token.slice(-4));
    }
  return (row) => {
    let bits = (ids[3].has(row.slice(1)) ? IS_THREE : 0) | (longEnds.has(row) ? IS_LONG : 0);
    NEIGHBOURS.forEach(([left, right], bit) => {
      const l = ids[left].get(row.slice(4 - left - right, 4 - right)),
        r = ids[right].get(row.slice(4 - right));
      if (l !== undefined && r !== undefined && isStable(l, r)) bits |= 1 << bit;
    });
    return bits;
  };
}

/** All rows of `length` of the characters, in order. */
function* rowsOf(characters, length) {
  if (length === 0) yield '';
  else
    for (const row of rowsOf(characters, length - 1))
      for (const character of characters) yield row + character;
}

/** Bits for every four characters, of which the first has the highest place. */
function fillRows(image, table, characters, bitsOf) {
  let at = table;
  for (const row of rowsOf(characters, 4)) image[at++] = bitsOf(row);
}

/** Tokens of so many letters with their place among all such rows, the most frequent first: those get the numbers from 1 on. */
function numbered(letters, length, rankOf) {
  return [...rowsOf(letters, length)]
    .map((text, code) => ({ code, id: rankOf.get(text) }))
    .filter(({ id }) => id !== undefined)
    .sort((x, y) => x.id - y.id)
    .map((token, i) => ({ ...token, number: i + 1 }));
}

/** Which tokens of one, two and three letters stand stably beside those of three and four. */
function fillNeighbours(image, letters, rankOf, isStable) {
  const [ones, twos, threes, fours] = [1, 2, 3, 4].map((length) => numbered(letters, length, rankOf));
  // What follows when all but one have been denied needs them all.
  if (threes.length >= layout.ROW_THREE_LIMIT || fours.length >= layout.ROW_FOUR_LIMIT)
    throw new RangeError(`tokens of three and four letters: ${threes.length} and ${fours.length}`);
  const set = (table, bit) => {
    image[table + (bit >> 3)] |= 1 << (bit & 7);
  };
  for (const { code, id, number } of threes) {
    image.writeUInt16LE(number, layout.ROW_THREES + 2 * code);
    image.writeUInt32LE(id, layout.ROW_THREE_IDS + 4 * number);
    for (const two of twos) {
      if (isStable(two.id, id)) set(layout.ROW_TWO_THREE, number * 676 + two.code);
      if (isStable(id, two.id)) set(layout.ROW_THREE_TWO, number * 676 + two.code);
    }
    for (const right of threes)
      if (isStable(id, right.id)) set(layout.ROW_THREE_THREE, number * layout.ROW_THREE_LIMIT + right.number);
  }
  const neighbours = [...twos, ...ones.map(({ code, id }) => ({ code: 676 + code, id }))];
  for (const { code, id, number } of fours) {
    image.writeUInt16LE(number, layout.ROW_FOUR_NUMBERS + 2 * code);
    for (const { code: column, id: neighbour } of neighbours)
      if (isStable(neighbour, id)) set(layout.ROW_BEFORE_FOURS, number * 704 + column);
  }
}

/**
 * A state is the lengths of the last tokens of the row, of it less one character, and of it less two, up to 4, 3 and 2.
 * Its place in the table is what stands there for it.
 */
function fillStates(image) {
  const placeOf = (a, b, c) =>
    (Math.min(a, 4) - 1 + 4 * (Math.min(b, 3) - 1) + 12 * (Math.min(c, 2) - 1)) * 2 * 256;
  for (let a = 1; a <= 4; a++)
    for (let b = 1; b <= 3; b++)
      for (let c = 1; c <= 2; c++)
        for (let bits = 0; bits < 256; bits++) {
          const right = lastOf([a, b, c], bits);
          image.writeUInt16LE(
            right === undefined ? NO_STATE : placeOf(right, a, b),
            layout.ROW_STATES + placeOf(a, b, c) + 2 * bits,
          );
        }
}

/** Length of the last token behind tokens of these lengths; undefined if the bits leave more than one. */
function lastOf(before, bits) {
  // The left token must have exactly the length that it has in the state.
  const found = NEIGHBOURS.find(([left, right], bit) => (bits >> bit) & 1 && before[right - 1] === left);
  if (found !== undefined) return found[1];
  if ((bits & IS_LONG) !== 0) return undefined;
  // One must stand there: those behind shorter tokens do not.
  const possible = [1, 2, 3].filter(
    (right) => right + before[right - 1] > 4 && (right < 3 || (bits & IS_THREE) !== 0),
  );
  return possible.length === 1 ? possible[0] : undefined;
}
