import { mustEqual } from '../mismatch.mjs';
import { pad } from '../texts/pads.mjs';
import { seamText } from '../texts/texts.mjs';
import { cutEnd } from './checks.mjs';

/** The kernel reads blocks of 64 bytes: twice as many places, and some. */
const MOST_PAD_BYTES = 140;

/**
 * The same text at many places of the blocks of 64 bytes, where characters and pieces cross their borders.
 * @type {import('../fuzz.mjs').Kind}
 */
export const border = {
  name: 'border',
  text: seamText,
  check({ counter, tiktoken }, seam, random) {
    // A letter at the end and a blank at the start: there the tokens of the parts add up.
    const text = ` ${seam}z`;
    const { bytes, ends } = tiktoken.encode(text);
    let compared = 0;
    for (let padBytes = random.below(9); padBytes < MOST_PAD_BYTES; padBytes += random.between(1, 17)) {
      const before = pad(random, padBytes);
      // A pad of one byte begins with no blank.
      const behind = pad(random, random.oneIn(2) ? random.between(2, MOST_PAD_BYTES) : 0);
      const padded = before.text + text + behind.text;
      const expected = before.tokens + ends.length + behind.tokens;
      mustEqual(`the count behind ${padBytes} bytes`, counter.count(padded), expected);
      const maxTokens = random.below(ends.length);
      const end = padBytes + cutEnd(bytes, ends, maxTokens);
      const kept = counter.cut(Buffer.from(padded), before.tokens + maxTokens).length;
      mustEqual(`bytes of the cut to ${maxTokens} tokens more than ${padBytes} bytes have`, kept, end);
      compared += 2;
    }
    return compared;
  },
};
