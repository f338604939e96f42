import {
  BASE64,
  BASE64_URL,
  CONTRACTIONS,
  CONTROLS,
  DIGITS,
  EMOJI,
  GENERAL_PUNCTUATION,
  HEX,
  LETTERS,
  LOWER,
  MARKS,
  RANGES,
  SCRIPTS,
  SPECIALS,
  SYMBOL_TAILS,
  SYMBOLS,
  UPPER,
  WHITESPACE,
  WORDS,
} from './alphabets.mjs';
import { EDGE_BYTES, pieceBytes } from './sizes.mjs';

/** @typedef {import('../random.mjs').Random} Random */

/** A few letters each, so that their merges meet in all ways. */
const LETTER_SETS = (
  'ab etaoin xyz th aA ABab ABCXYZ q A \u00e9 a\u00e9 \u00c9\u00c8 \u65e5a \u0430\u0431 \u0410\u0430 ' +
  '\u4e2d\u6587\u65e5 \u3042\u30ab \ud55c\uad6d \u0627\u0644 a\u0301 \u{20000} \u00ff\u0100 \u01c5a ' +
  "l\u02b0L a' s' l'L \u0e01\u0e33 \u0915\u094d"
)
  .split(' ')
  .map((letters) => [...letters]);

/** Characters of the planes, the lower ones more often. */
const CODE_POINT_LIMITS = [0x80, 0x100, 0x250, 0x800, 0x3000, 0x10000, 0x20000, 0x110000];

export const anyCodePoint = (random) => String.fromCodePoint(random.below(random.pick(CODE_POINT_LIMITS)));

/** Neighbours in Unicode, which often differ in case or class. */
function rangeRun(random) {
  const [first, last] = random.pick(RANGES);
  const some = Array.from({ length: 3 }, () => String.fromCodePoint(random.between(first, last)));
  return random.repeat(random.between(1, 6), () => random.pick(some));
}

function word(random) {
  const text = random.oneIn(4) ? random.pick(WORDS) + random.pick(WORDS) : random.pick(WORDS);
  switch (random.below(9)) {
    case 0:
      return text.toUpperCase();
    case 1:
    case 2:
      return text.charAt(0).toUpperCase() + text.slice(1);
    case 3:
      return random.repeat(text.length, () => random.pick(LOWER));
    case 4:
      return [...text].map((letter) => (random.oneIn(3) ? letter.toUpperCase() : letter)).join('');
    default:
      return text;
  }
}

/** So many bytes of characters of a set; the last character may reach beyond. */
function run(random, set, bytes) {
  const bytesEach = Buffer.byteLength(set.join('')) / set.length;
  return random.repeat(Math.max(1, Math.round(bytes / bytesEach)), () => random.pick(set));
}

function symbolRun(random) {
  const some = [random.pick(SYMBOLS), random.pick(SYMBOLS), random.pick(GENERAL_PUNCTUATION)];
  const times = random.oneIn(5) ? random.pick(EDGE_BYTES) : random.between(1, 4);
  const tail = random.oneIn(2) ? random.repeat(random.between(1, 3), () => random.pick(SYMBOL_TAILS)) : '';
  return random.repeat(times, () => random.pick(some)) + tail;
}

function spaceRun(random) {
  if (random.oneIn(7)) return random.pick(WHITESPACE).repeat(random.pick(EDGE_BYTES));
  return random.repeat(random.between(1, 5), () => random.pick(WHITESPACE));
}

/** With line breaks at 64 or 76 as in mail, or without. */
function base64(random) {
  const alphabet = random.oneIn(3) ? BASE64_URL : BASE64;
  const text = random.repeat(random.pick([3, 10, 64, 65, 100, 200, 300]), () => random.pick(alphabet));
  const lines = random.oneIn(4) ? text.replace(random.oneIn(2) ? /.{76}/g : /.{64}/g, '$&\r\n') : text;
  return lines + '='.repeat(random.below(3));
}

function codeLine(random) {
  const indent = (random.oneIn(3) ? '\t' : ' ').repeat(random.below(13));
  const name = () => word(random) + random.pick(['', '_', '.', '::', '->']) + word(random);
  const end =
    random.pick([';', ' {', '}', ');', ',', ' // ', ' /* */', ':', '']) +
    random.pick(['\n', '\r\n', '\n\n', '  \n']);
  return `${indent}${name()}${random.pick([' = ', '(', '[', ' => ', ' != ', '<'])}${name()}${end}`;
}

function jsonValue(random) {
  const values = [
    random.below(1e6),
    random.below(1e6) / 1000,
    word(random),
    random.pick(CONTROLS),
    null,
    [],
    {},
    -1e-7,
  ];
  const value = {
    [word(random)]: random.pick(values),
    [word(random)]: [random.pick(values), random.pick(values)],
  };
  return JSON.stringify(value, null, random.pick([0, 0, 2, '\t']));
}

function bytesAsText(random) {
  return Buffer.from(Array.from({ length: random.between(1, 30) }, () => random.below(256))).toString();
}

/** A run that repeats after some characters. */
function periodic(random) {
  const period = random.repeat(random.between(1, 8), () => random.pick(random.oneIn(3) ? LETTERS : LOWER));
  return period.repeat(Math.ceil(pieceBytes(random) / Buffer.byteLength(period)));
}

/** Weight, and how such a part is made. */
const WEIGHTED = /** @type {[number, (random: Random) => string][]} */ ([
  [12, word],
  [14, (random) => ` ${word(random)}`],
  [6, (random) => word(random) + random.pick(CONTRACTIONS)],
  [7, (random) => random.pick(CONTRACTIONS)],
  [2, (random) => random.repeat(random.between(2, 6), () => random.pick(CONTRACTIONS))],
  [1, (random) => random.pick(LETTERS) + random.pick(CONTRACTIONS)],
  [1, (random) => random.pick(MARKS) + random.pick(CONTRACTIONS)],
  [7, (random) => random.pick(WHITESPACE)],
  [7, spaceRun],
  [1, (random) => `\n${' '.repeat(random.below(20))}${random.pick(['', '\n', '\r\n', 'x', '.', '1'])}`],
  [6, (random) => random.pick(SYMBOLS)],
  [8, symbolRun],
  [2, (random) => random.pick(SYMBOLS) + word(random)],
  [2, (random) => random.pick(GENERAL_PUNCTUATION) + word(random)],
  [2, (random) => random.pick(SYMBOLS) + random.pick(SYMBOL_TAILS)],
  [7, (random) => random.pick(DIGITS)],
  [2, (random) => random.repeat(random.pick([1, 2, 3, 4, 5, 6, 7, 20, 64]), () => String(random.below(10)))],
  [1, (random) => random.repeat(random.between(2, 6), () => random.pick(DIGITS))],
  [6, (random) => random.pick(LETTERS)],
  [2, (random) => random.repeat(random.between(2, 6), () => random.pick(LETTERS))],
  [5, rangeRun],
  [4, (random) => random.pick(MARKS)],
  [1, (random) => random.repeat(random.between(2, 5), () => random.pick(random.oneIn(2) ? MARKS : LETTERS))],
  [3, (random) => random.pick(EMOJI)],
  [
    6,
    (random) =>
      run(random, random.pick(SCRIPTS), random.oneIn(5) ? pieceBytes(random) : random.between(2, 20)),
  ],
  [5, (random) => run(random, random.pick(LETTER_SETS), pieceBytes(random))],
  [1, (random) => run(random, random.oneIn(2) ? LOWER : UPPER, pieceBytes(random))],
  [2, periodic],
  [3, base64],
  [1, (random) => random.repeat(random.pick([8, 16, 32, 40, 64]), () => random.pick(HEX))],
  [3, codeLine],
  [2, jsonValue],
  [2, (random) => random.pick(SPECIALS)],
  [3, (random) => random.pick(CONTROLS)],
  [1, (random) => random.pick(['\0', '\u0001', '\u007f', '\u0080']).repeat(random.pick(EDGE_BYTES))],
  [1, (random) => random.pick(SYMBOLS) + '\0'.repeat(random.below(17))],
  [2, anyCodePoint],
  [2, (random) => random.repeat(random.between(2, 7), () => anyCodePoint(random))],
  [1, bytesAsText],
]);

/** Makers of parts of texts, as often as they weigh. @type {readonly ((random: Random) => string)[]} */
export const PARTS = WEIGHTED.flatMap(([weight, make]) => Array(weight).fill(make));

/** Any single thing of the alphabets. @param {Random} random */
export function seam(random) {
  return random.pick(
    random.pick([
      WHITESPACE,
      DIGITS,
      CONTRACTIONS,
      SYMBOLS,
      SYMBOL_TAILS,
      MARKS,
      LETTERS,
      CONTROLS,
      LOWER,
      UPPER,
    ]),
  );
}
