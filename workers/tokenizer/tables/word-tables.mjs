/**
 * Tables of all words of one to four characters that random text is made of: Latin letters, of which the first
 * may be one of + / - _ instead. In o200k letters are capitals, then small letters, so that a word is the number of
 * its capitals and a number in base 27 (base 31 at the first place); in cl100k cases mix, in base 53 and 57.
 * Absent characters are zeros. assembly/words.ts computes the same index.
 */
import { HAS_WORD_TABLES, layout } from './layout.mjs';

const PREFIXES = '+/-_';

export function fillWordTables(image, family, { rankOf, halves }) {
  if (!HAS_WORD_TABLES.has(family)) return;
  const isSplitByCase = family === 'o200k';
  const base = isSplitByCase ? 27 : 53;
  const firstBase = base + PREFIXES.length;
  const shapeSize = firstBase * base ** 3;
  const size = shapeSize * (isSplitByCase ? 5 : 1);
  if (
    layout.WORD_COUNTS + size / 4 > layout.WORD_TWINS ||
    layout.WORD_TWINS + size / 8 > layout.WORD_ENDS ||
    layout.WORD_ENDS + size / 2 > layout.CHARACTER_IDS
  )
    throw new Error('word tables do not fit');

  const character = (text, code, isCapital) => ({ id: rankOf.get(text), code, isCapital });
  const range = Array.from({ length: 26 }, (_, i) => i);
  const small = range.map((i) => character(String.fromCharCode(97 + i), i + (isSplitByCase ? 1 : 27), 0));
  const capital = range.map((i) => character(String.fromCharCode(65 + i), i + 1, 1));
  // The underscore has the bits of a capital and is counted as one.
  const prefixes = [...PREFIXES].map((text, i) => character(text, base + i, text === '_' ? 1 : 0));
  for (const [list, first] of [
    [small, 97],
    [capital, 65],
  ])
    list.forEach(({ code }, i) => {
      image[layout.WORD_CODES + first + i] = code;
    });
  prefixes.forEach(({ code }, i) => {
    image[layout.WORD_CODES + PREFIXES.charCodeAt(i)] = code;
  });

  const pairs = new Map();
  halves.forEach(([left, right], rank) => {
    pairs.set(left * 0x40000 + right, rank);
  });
  /** Lengths of the tokens of these bytes. */
  const encode = (ids) => {
    const lengths = ids.map(() => 1);
    while (ids.length > 1) {
      let best = Infinity,
        at = 0;
      for (let i = 0; i + 1 < ids.length; i++) {
        const rank = pairs.get(ids[i] * 0x40000 + ids[i + 1]);
        if (rank < best) {
          best = rank;
          at = i;
        }
      }
      if (best === Infinity) break;
      ids.splice(at, 2, best);
      lengths.splice(at, 2, lengths[at] + lengths[at + 1]);
    }
    return lengths;
  };
  const put = (word) => {
    let index = 0,
      scale = 1;
    word.forEach(({ code, isCapital }, i) => {
      index += code * scale + (isSplitByCase ? isCapital * shapeSize : 0);
      scale *= i === 0 ? firstBase : base;
    });
    const lengths = encode(word.map(({ id }) => id));
    const last = lengths[lengths.length - 1];
    image[layout.WORD_COUNTS + (index >> 2)] |= (lengths.length - 1) << (2 * (index & 3));
    image[layout.WORD_ENDS + (index >> 1)] |= ((lengths.length - 1) | ((last - 1) << 2)) << (4 * (index & 1));
    if (word.length === 4 && lengths.length === 2 && last === 2)
      image[layout.WORD_TWINS + (index >> 3)] |= 1 << (index & 7);
  };
  const visit = (word) => {
    if (word.length > 0) put(word);
    if (word.length === 4) return;
    const previous = word[word.length - 1];
    for (const letter of small) visit([...word, letter]);
    if (!isSplitByCase || previous === undefined || previous.isCapital || previous.code >= base)
      for (const letter of capital) visit([...word, letter]);
    if (previous === undefined) for (const prefix of prefixes) visit([prefix]);
  };
  visit([]);
}
