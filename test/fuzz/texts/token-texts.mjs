import { readEncoding } from '../reference/ranks.mjs';

/** @typedef {import('../random.mjs').Random} Random */

/** Vocabularies to take from; the others' tokens are among these. */
const VOCABULARIES = ['o200k_base', 'cl100k_base'];
/** First bytes of characters of 2, 3 and 4 bytes, as far as scripts use them. */
const LEADS = [
  0xc3, 0xce, 0xd0, 0xd7, 0xd8, 0xe0, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe9, 0xea, 0xec, 0xed, 0xef, 0xf0,
];

/** Tokens, one character a byte, and those of them that begin or end inside a character. @type {{ all: string[], cut: Buffer[] } | undefined} */
let tokens;

/**
 * Text of tokens of the vocabularies, side by side or cut: whatever merges has a chance to. Many tokens are parts of
 * characters; those are completed to characters, so that they compete with the merges of the characters.
 * @param {Random} random
 */
export function tokenText(random) {
  tokens ??= loadTokens();
  const { all, cut } = tokens;
  const isCut = random.oneIn(2);
  const some = Array.from({ length: random.between(1, 6) }, () =>
    isCut ? completed(random, random.pick(cut)) : Buffer.from(random.pick(all), 'latin1'),
  );
  return Buffer.concat(some)
    .toString()
    .slice(random.oneIn(4) ? 1 : 0);
}

function loadTokens() {
  const all = VOCABULARIES.flatMap((name) => [...readEncoding(name).ranks.keys()]);
  const bytes = all.map((token) => Buffer.from(token, 'latin1'));
  return { all, cut: bytes.filter((token) => token.toString().includes('\ufffd')) };
}

/** @param {Random} random @param {Buffer} token */
function completed(random, token) {
  const bytes = [...token];
  const continuation = () => random.between(0x80, 0xbf);
  const isContinuation = (/** @type {number} */ byte) => byte >> 6 === 2;
  let before = 0;
  while (before < bytes.length && isContinuation(bytes[before])) before++;
  if (before > 0) {
    const lead = random.pick(LEADS.filter((byte) => bytesOf(byte) > before));
    for (let missing = bytesOf(lead) - 1 - before; missing > 0; missing--) bytes.unshift(continuation());
    bytes.unshift(lead);
  }
  const last = bytes.findLastIndex((byte) => !isContinuation(byte));
  for (let missing = last + bytesOf(bytes[last]) - bytes.length; missing > 0; missing--)
    bytes.push(continuation());
  return Buffer.from(bytes);
}

/** @param {number} lead */
function bytesOf(lead) {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}
