/** Words that are one token in every encoding, with the space before them (slice.test.ts makes sure). */
export const PAD_WORDS = (
  'the of and to in is that for it as was with be by on not his but at are this have from or had an they which one ' +
  'you were all her she there would their we him been has when who will more no if out so up said what its about'
).split(' ');

/** By their bytes with the space. @type {string[][]} */
const BY_BYTES = [];
for (const word of PAD_WORDS) {
  BY_BYTES[word.length + 1] ??= [];
  BY_BYTES[word.length + 1].push(` ${word}`);
}
BY_BYTES[2] = [' a'];

const POOL_BYTES = 600_000;
/** Much text of such words, and where they start: made once, for large pads are parts of it. */
let pool = '';
/** @type {number[]} */
const poolStarts = [];

/**
 * A text of so many bytes whose tokens are known: it stands before another to move it to wanted places. What follows
 * must begin with a blank, so that the tokens add up (specs/counter-kernel.md §4).
 * @param {import('../random.mjs').Random} random
 * @param {number} bytes
 * @returns {{ text: string, tokens: number }}
 */
export function pad(random, bytes) {
  if (bytes === 0) return { text: '', tokens: 0 };
  if (bytes === 1) return { text: 'a', tokens: 1 };
  return bytes < 1000 ? smallPad(random, bytes) : largePad(random, bytes);
}

function smallPad(random, bytes) {
  let text = '';
  let tokens = 0;
  for (let missing = bytes; missing > 0; tokens++) {
    // One byte must not be left over.
    let length = random.between(2, Math.min(6, missing));
    if (missing - length === 1) length = missing === 3 ? 3 : 2;
    text += random.pick(BY_BYTES[length]);
    missing -= length;
  }
  return { text, tokens };
}

function largePad(random, bytes) {
  if (pool === '') fillPool(random);
  const used = bytes - 500;
  const last = firstAtOrAfter(pool.length - used);
  const first = firstAtOrAfter(random.below(poolStarts[last]));
  const end = firstAtOrAfter(poolStarts[first] + used);
  const text = pool.slice(poolStarts[first], poolStarts[end]);
  const rest = smallPad(random, bytes - text.length);
  return { text: rest.text + text, tokens: rest.tokens + end - first };
}

function fillPool(random) {
  const words = [];
  for (let bytes = 0; bytes < POOL_BYTES; ) {
    const word = ` ${random.pick(PAD_WORDS)}`;
    poolStarts.push(bytes);
    words.push(word);
    bytes += word.length;
  }
  pool = words.join('');
  poolStarts.push(pool.length);
}

/** Index of the first word that starts at or after a place. @param {number} place */
function firstAtOrAfter(place) {
  let low = 0;
  let high = poolStarts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (poolStarts[middle] < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
