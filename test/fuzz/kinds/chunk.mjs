import { planChunks, segmentEnds } from '@preflight/tokenizer';
import { mustEqual } from '../mismatch.mjs';
import { pad } from '../texts/pads.mjs';
import { seamText } from '../texts/texts.mjs';
import { checkLimit, checkSum, cutEnd } from './checks.mjs';

const KIB = 1024;
/** Where steps, long pieces, segments and chunks end. */
const BORDERS = [64 * KIB, 128 * KIB, 256 * KIB, 256 * KIB, 512 * KIB];

/**
 * Texts larger than a step, with the seams across the borders of the steps: counted whole, up to a limit, cut, as a
 * sum over segments and chunks, and as they arrive. @type {import('../fuzz.mjs').Kind}
 */
export const chunk = {
  name: 'chunk',
  text: seamText,
  check(subject, seam, random) {
    const { counter, family } = subject;
    const large = largeText(subject, seam, random);
    const { bytes, tokens } = large;
    mustEqual('the count of the large text', counter.count(bytes), tokens);
    checkLimit(counter, bytes, tokens, random.below(tokens + 2));
    const cut = counter.cutBytes(bytes, large.cutTokens);
    mustEqual(`bytes of the large text cut to ${large.cutTokens}`, cut, large.cutEnd);
    checkSum('segments', counter, bytes, segmentEnds(bytes, family), tokens);
    const targetBytes = random.pick([1000, 4096, 64 * KIB, 256 * KIB, random.between(100, 300_000)]);
    const chunks = planChunks(
      bytes,
      family,
      targetBytes,
      random.oneIn(2) ? undefined : random.between(1, 4096),
    );
    checkSum(
      `chunks of ${targetBytes}`,
      counter,
      bytes,
      chunks.map(({ end }) => end),
      tokens,
    );
    return 5 + checkIncremental(counter, large, random);
  },
};

/**
 * Pads with the seam between them, where borders are; and a cut inside the last seam.
 * @param {import('../subjects.mjs').Subject} subject
 * @param {string} seam
 * @param {import('../random.mjs').Random} random
 */
function largeText({ tiktoken }, seam, random) {
  // A letter at the end and a blank at the start: there the tokens of the parts add up.
  const text = ` ${seam}z`;
  const { bytes, ends } = tiktoken.encode(text);
  const parts = [];
  let length = 0;
  let tokens = 0;
  let large = { cutTokens: 0, cutEnd: 0 };
  const borders = [random.pick(BORDERS), ...(random.oneIn(3) ? [random.pick(BORDERS)] : [])].sort(
    (a, b) => a - b,
  );
  for (const border of borders) {
    const padBytes = border - length - random.below(bytes.length + 20);
    if (padBytes < 2) continue;
    const before = pad(random, padBytes);
    parts.push(before.text, text);
    tokens += before.tokens;
    const maxTokens = random.below(ends.length);
    large = { cutTokens: tokens + maxTokens, cutEnd: length + padBytes + cutEnd(bytes, ends, maxTokens) };
    tokens += ends.length;
    length += padBytes + bytes.length;
  }
  const behind = pad(random, random.between(2, 100_000));
  const whole = parts.join('') + behind.text;
  return { ...large, text: whole, bytes: Buffer.from(whole), tokens: tokens + behind.tokens };
}

/** Pushes the text in two to five parts, cut anywhere: most attempts end inside or near a seam. */
function checkIncremental(counter, { text, bytes, tokens, cutEnd: seamAt }, random) {
  // Older builds count whole texts only.
  if (counter.startCount === undefined) return 0;
  const given = random.oneIn(3) ? text : bytes;
  const cuts = Array.from({ length: random.between(1, 4) }, () =>
    random.oneIn(4) ? random.below(given.length) : Math.max(0, seamAt + random.between(-8, 30)),
  ).sort((a, b) => a - b);
  const counting = counter.startCount();
  let start = 0;
  for (const end of [...cuts, given.length]) {
    counting.push(typeof given === 'string' ? given.slice(start, end) : given.subarray(start, end));
    start = Math.max(start, end);
  }
  mustEqual(`the count of chunks cut at ${cuts}`, counting.finish(), tokens);
  return 1;
}
