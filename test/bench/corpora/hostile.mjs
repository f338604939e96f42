import { Random } from '../random.mjs';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const SYMBOLS = '!#$%&()*+,-./:;<=>?@[]^_{|}~';

const repeated = (unit) => (_, bytes) => unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)));

/** Characters drawn from `characters`, all in one unbroken row. */
const drawn = (characters) => {
  const list = [...characters];
  const width = Buffer.byteLength(list[0]);
  if (width === 1)
    return (random, bytes) =>
      random
        .bytes(bytes)
        .map((byte) => characters.charCodeAt(byte % list.length))
        .toString('latin1');
  return (random, bytes) =>
    Array.from({ length: Math.ceil(bytes / width) }, () => random.pick(list)).join('');
};

/** Runs of 4,096 of one letter, each with another letter behind the last. */
const longRuns = (random, bytes) =>
  Array.from({ length: Math.ceil(bytes / 4096) }, () => random.pick(LETTERS).repeat(4096)).join('');

/** A run that is nearly the same again and again, with a short break whose last sign is drawn. */
const brokenRuns = (random, bytes) =>
  Array.from({ length: Math.ceil(bytes / 2004) }, () => `${'A'.repeat(2000)}b${random.below(10)}/`).join('');

const ideographs = (random, bytes) =>
  Array.from({ length: Math.ceil(bytes / 3) }, () => String.fromCharCode(0x4e00 + random.below(20_000))).join(
    '',
  );

/** Inputs on which tokenizers grow worse than linearly: pieces without a border, and merges without an end. */
export const HOSTILE_INPUTS = [
  { name: 'one letter', make: (random, bytes) => random.pick(LETTERS).repeat(bytes) },
  { name: 'A', make: repeated('A') },
  { name: '/', make: repeated('/') },
  { name: 'spaces', make: repeated(' ') },
  { name: 'newlines', make: repeated('\n') },
  { name: 'spaces and newlines', make: drawn(' \n') },
  { name: 'ideographs, no break', make: ideographs },
  { name: 'one ideograph', make: repeated('中') },
  { name: 'random letters, one word', make: drawn(LETTERS) },
  { name: 'random a and b', make: drawn('ab') },
  { name: 'random symbols', make: drawn(SYMBOLS) },
  { name: 'runs of 4096', make: longRuns },
  { name: "'A' x 2000 + 'b1/'", make: brokenRuns },
  { name: 'digits', make: drawn('0123456789') },
  { name: 'NUL', make: repeated('\0') },
  { name: 'combining marks', make: drawn('\u0300\u0301\u0308\u0327\u0331') },
  { name: 'emoji joined', make: repeated('👩\u200d') },
  {
    name: 'aLtErNaTiNg case',
    make: (random, bytes) =>
      drawn(LETTERS)(random, bytes).replace(/(.)(.)/g, (_, a, b) => a + b.toUpperCase()),
  },
  { name: 'apostrophes', make: repeated("'") },
  { name: "contractions 's", make: drawn("'s") },
];

/** @param {{ name: string, make: Function }} input
 * @param {number} bytes
 * @param {number} seed
 * @returns {string}
 */
export function hostileText(input, bytes, seed) {
  return input.make(new Random(`${input.name} ${seed}`), bytes);
}
