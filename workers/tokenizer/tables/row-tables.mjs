/**
 * Tables for long rows of small letters and of symbols: which tokens of together at most four characters stand
 * side by side stably, and the automaton that finds the last token of every prefix. See assembly/rows.ts.
 */
import { HAS_WORD_TABLES, layout } from './layout.mjs';

const NO_STATE = 255;

/** Lengths of left and right token, for bits 0 to 5. */
const NEIGHBOURS = [
  [1, 1],
  [2, 1],
  [3, 1],
  [1, 2],
  [2, 2],
  [1, 3],
];

export function fillRowTables(image, family, { rankOf, halves }) {
  if (!HAS_WORD_TABLES.has(family)) return;
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i));
  const symbols = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter(
    (c) => !/[A-Za-z0-9]/.test(c),
  );
  symbols.forEach((symbol, i) => {
    image[layout.ROW_CODES + symbol.charCodeAt(0)] = i;
  });
  const isStable = stability(halves);
  // The code of a letter is its five lowest bits.
  fillRows(
    image,
    layout.ROW_LETTERS,
    letters.map((text, i) => ({ text, code: i + 1 })),
    rankOf,
    isStable,
  );
  fillRows(
    image,
    layout.ROW_SYMBOLS,
    symbols.map((text, i) => ({ text, code: i })),
    rankOf,
    isStable,
  );
  fillTriples(image, letters, rankOf, isStable);
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

/** Tokens of three letters, the most frequent first, against those of two. */
function fillTriples(image, letters, rankOf, isStable) {
  const codeOf = (text) => [...text].reduce((code, letter) => (code << 5) | (letter.charCodeAt(0) & 31), 0);
  const tokens = (texts) =>
    texts.filter((text) => rankOf.has(text)).map((text) => ({ code: codeOf(text), id: rankOf.get(text) }));
  const two = letters.flatMap((x) => letters.map((y) => x + y));
  const pairs = tokens(two);
  const triples = tokens(two.flatMap((xy) => letters.map((z) => xy + z))).sort((x, y) => x.id - y.id);
  triples.slice(0, layout.ROW_TRIPLE_LIMIT - 1).forEach(({ code, id }, i) => {
    image.writeUInt16LE(i + 1, layout.ROW_TRIPLES + 2 * code);
    image.writeUInt32LE(id, layout.ROW_TRIPLE_IDS + 4 * (i + 1));
    const row = 128 * (i + 1);
    for (const pair of pairs) {
      const bit = 1 << (pair.code & 7),
        at = row + (pair.code >> 3);
      if (isStable(pair.id, id)) image[layout.ROW_BEFORE_TRIPLES + at] |= bit;
      if (isStable(id, pair.id)) image[layout.ROW_BEHIND_TRIPLES + at] |= bit;
    }
  });
}

/** The first character has the highest five bits. */
function fillRows(image, table, characters, rankOf, isStable) {
  const ids = [undefined];
  /** Bits of the neighbours whose right token ends the row and that fill it. */
  const bitsOf = (row) => {
    let bits = 0;
    NEIGHBOURS.forEach(([left, right], bit) => {
      if (left + right !== row.length) return;
      const l = ids[left].get(row.slice(0, left)),
        r = ids[right].get(row.slice(left));
      if (l !== undefined && r !== undefined && isStable(l, r)) bits |= 1 << bit;
    });
    return bits;
  };
  for (let length = 1; length <= 3; length++) ids[length] = new Map();
  const visitIds = (text, length) => {
    if (length > 0 && rankOf.has(text)) ids[length].set(text, rankOf.get(text));
    if (length < 3) for (const character of characters) visitIds(text + character.text, length + 1);
  };
  visitIds('', 0);
  const known = new Map();
  const shortBits = (row) => {
    if (!known.has(row)) known.set(row, bitsOf(row));
    return known.get(row);
  };
  for (const w of characters)
    for (const x of characters)
      for (const y of characters)
        for (const z of characters) {
          const row = w.text + x.text + y.text + z.text;
          const bits = bitsOf(row) | shortBits(x.text + y.text + z.text) | shortBits(y.text + z.text);
          image[table + ((w.code << 15) | (x.code << 10) | (y.code << 5) | z.code)] =
            bits | (rankOf.has(row) ? 64 : 0);
        }
}

/** A state is the lengths of the last tokens of the row, of it less one character, and of it less two. */
function fillStates(image) {
  const numberOf = (a, b, c) => Math.min(a, 4) - 1 + 4 * (Math.min(b, 3) - 1) + 12 * (Math.min(c, 2) - 1);
  for (let a = 1; a <= 4; a++)
    for (let b = 1; b <= 3; b++)
      for (let c = 1; c <= 2; c++)
        for (let bits = 0; bits < 64; bits++) {
          const before = [a, b, c];
          // The left token must have exactly the length that it has in the state.
          const found = NEIGHBOURS.findIndex(
            ([left, right], bit) => (bits >> bit) & 1 && before[right - 1] === left,
          );
          const right = found < 0 ? 0 : NEIGHBOURS[found][1];
          image[layout.ROW_STATES + 64 * numberOf(a, b, c) + bits] =
            found < 0 ? NO_STATE : numberOf(right, a, b);
        }
}
