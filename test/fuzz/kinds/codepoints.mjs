import { mustEqual } from '../mismatch.mjs';
import { codePointText } from '../texts/code-points.mjs';

/** Every Unicode code point in several contexts; ends by itself. @type {import('../fuzz.mjs').Kind} */
export const codepoints = {
  name: 'codepoints',
  text: (_random, index) => codePointText(index),
  check({ counter, tiktoken }, text) {
    mustEqual('the count', counter.count(text), tiktoken.count(text));
    return 1;
  },
};
