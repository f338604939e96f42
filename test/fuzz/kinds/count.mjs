import { mustEqual } from '../mismatch.mjs';
import { seamText } from '../texts/texts.mjs';
import { bytesIn, checkLimit, damaged, decode } from './checks.mjs';

/** Counts of strings and bytes, and counts up to a limit. @type {import('../fuzz.mjs').Kind} */
export const count = {
  name: 'count',
  text: seamText,
  check({ counter, tiktoken }, text, random) {
    const expected = tiktoken.count(text);
    mustEqual('the count', counter.count(text), expected);
    let compared = 1;
    if (random.oneIn(4)) {
      mustEqual('the count of the bytes', counter.count(bytesIn(random, text)), expected);
      compared++;
    }
    if (random.oneIn(4)) {
      const bytes = random.oneIn(2) ? bytesIn(random, text) : text;
      checkLimit(counter, bytes, expected, Math.max(0, expected + random.between(-3, 2)));
      compared++;
    }
    if (random.oneIn(16)) {
      const bytes = damaged(random, text);
      const wanted = tiktoken.count(decode(bytes));
      mustEqual(`the count of the malformed bytes [${bytes}]`, counter.count(bytes), wanted);
      compared++;
    }
    return compared;
  },
};
