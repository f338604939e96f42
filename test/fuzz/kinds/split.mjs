import { isSafeSplit, planChunks } from '@preflight/tokenizer';
import { Mismatch, mustEqual } from '../mismatch.mjs';
import { seamText } from '../texts/texts.mjs';
import { bytesIn, checkSum, decode, isInsideCharacter } from './checks.mjs';

/**
 * Sums over both sides of every split that is named safe, and over chunks of a few bytes. Stronger than the sum: each
 * side must have just the tokens that tiktoken has on that side in the whole. @type {import('../fuzz.mjs').Kind}
 */
export const split = {
  name: 'split',
  text: seamText,
  check({ counter, tiktoken, family }, text, random) {
    const { ends } = tiktoken.encode(text);
    const bytes = bytesIn(random, text);
    // One in so many texts is split without the help of the counter.
    const isCounted = random.oneIn(64);
    let compared = 0;
    let before = 0;
    for (let at = 1; at < bytes.length; at++) {
      while (ends[before] <= at) before++;
      if (isInsideCharacter(bytes, at) || !isSafeSplit(bytes, family, at)) continue;
      if (ends[before - 1] !== at) throw new Mismatch(`the safe split at ${at} is inside a token`);
      const [left, right] = [bytes.subarray(0, at), bytes.subarray(at)];
      mustEqual(`the count of the ${at} bytes before a safe split`, counter.count(left), before);
      mustEqual(`the count behind the safe split at ${at}`, counter.count(right), ends.length - before);
      compared++;
      if (!isCounted) continue;
      const sum = tiktoken.count(decode(left)) + tiktoken.count(decode(right));
      mustEqual(`tiktoken's sum over the safe split at ${at}`, sum, ends.length);
    }
    const targetBytes = random.between(1, 64);
    const chunks = planChunks(
      bytes,
      family,
      targetBytes,
      random.oneIn(2) ? undefined : random.between(1, 64),
    );
    checkSum(
      `chunks of ${targetBytes}`,
      counter,
      bytes,
      chunks.map(({ end }) => end),
      ends.length,
    );
    return compared + 1;
  },
};
