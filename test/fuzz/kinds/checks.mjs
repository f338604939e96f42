import { Mismatch, mustEqual } from '../mismatch.mjs';

/** @typedef {import('../random.mjs').Random} Random */
/** @typedef {import('@preflight/tokenizer').Counter} Counter */

const encoder = new TextEncoder();
/** A leading BOM is text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** @param {Uint8Array} bytes */
export const decode = (bytes) => decoder.decode(bytes);

/** The bytes of a text somewhere inside a larger buffer, as those of a request are. @param {Random} random @param {string} text */
export function bytesIn(random, text) {
  const bytes = encoder.encode(text);
  const start = random.below(9);
  const buffer = new Uint8Array(start + bytes.length + random.below(9)).fill(0x61);
  buffer.set(bytes, start);
  return buffer.subarray(start, start + bytes.length);
}

/** Bytes of a text of which some were changed, left out or cut off. @param {Random} random @param {string} text */
export function damaged(random, text) {
  const bytes = encoder.encode(text);
  for (let times = random.between(1, 4); times > 0; times--)
    bytes[random.below(bytes.length)] = random.below(256);
  return bytes.subarray(
    random.oneIn(3) ? random.below(bytes.length) : 0,
    bytes.length - (random.oneIn(3) ? 1 : 0),
  );
}

/**
 * A count up to a limit must be exact within it, and above it a number that the text has at least.
 * @param {Counter} counter
 * @param {string | Uint8Array} text
 * @param {number} count
 * @param {number} limit
 */
export function checkLimit(counter, text, count, limit) {
  const { tokens, exceeded } = counter.countUpTo(text, limit);
  mustEqual(`exceeded of a count up to ${limit}`, exceeded, count > limit);
  if (exceeded ? tokens <= limit || tokens > count : tokens !== count)
    throw new Mismatch(`the count up to ${limit} is ${tokens}; the whole is ${count}`);
}

/**
 * Where a cut ends that keeps so many tokens: a character that it would split is dropped.
 * @param {Uint8Array} bytes
 * @param {ArrayLike<number>} ends of the tokens
 * @param {number} maxTokens
 */
export function cutEnd(bytes, ends, maxTokens) {
  if (maxTokens >= ends.length) return bytes.length;
  let end = maxTokens === 0 ? 0 : ends[maxTokens - 1];
  while (isInsideCharacter(bytes, end)) end--;
  return end;
}

/** @param {Uint8Array} bytes @param {number} at */
export function isInsideCharacter(bytes, at) {
  return at < bytes.length && (bytes[at] & 0xc0) === 0x80;
}

/**
 * Chunks must cover the bytes in order, and their counts must add up.
 * @param {string} what
 * @param {Counter} counter
 * @param {Uint8Array} bytes
 * @param {readonly number[]} ends of the chunks
 * @param {number} expected
 */
export function checkSum(what, counter, bytes, ends, expected) {
  let start = 0;
  let sum = 0;
  for (const end of ends) {
    if (end < start || (end === start && bytes.length > 0))
      throw new Mismatch(`${what}: a chunk ends at ${end}`);
    sum += counter.count(bytes.subarray(start, end));
    start = end;
  }
  mustEqual(`${what}: the last end`, start, bytes.length);
  mustEqual(`${what}: the sum of the counts of the chunks that end at ${ends.slice(0, 20)}`, sum, expected);
}
