import { mustEqual } from '../mismatch.mjs';
import { seamText } from '../texts/texts.mjs';
import { bytesIn, checkLimit, cutEnd, decode } from './checks.mjs';

/** Texts of more tokens than this are not cut at every one of them. */
const MOST_CUTS = 60;

/** Cuts at every token against what tiktoken's tokens spell. @type {import('../fuzz.mjs').Kind} */
export const cut = {
  name: 'cut',
  text: seamText,
  check({ counter, tiktoken }, text, random) {
    const { bytes, ends } = tiktoken.encode(text);
    const given = bytesIn(random, text);
    const wellFormed = decode(bytes);
    let compared = 0;
    const step = Math.max(1, Math.ceil(ends.length / MOST_CUTS));
    for (let maxTokens = random.below(step); maxTokens <= ends.length + 1; maxTokens += step) {
      const end = cutEnd(bytes, ends, maxTokens);
      mustEqual(`bytes of the cut to ${maxTokens}`, counter.cutBytes(given, maxTokens), end);
      // Comparing strings takes longer than cutting them.
      if (random.oneIn(3)) {
        const kept = maxTokens >= ends.length ? text : decode(bytes.subarray(0, end));
        mustEqual(`the cut to ${maxTokens}`, counter.cut(text, maxTokens), kept);
        const keptBytes = counter.cut(given, maxTokens);
        mustEqual(
          `the cut of the bytes to ${maxTokens}`,
          decode(keptBytes),
          wellFormed.slice(0, decode(keptBytes).length),
        );
        mustEqual(`length of the cut of the bytes to ${maxTokens}`, keptBytes.length, end);
        checkLimit(counter, random.oneIn(2) ? text : given, ends.length, maxTokens);
        compared += 3;
      }
      compared++;
    }
    return compared;
  },
};
