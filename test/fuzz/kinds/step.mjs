import { mustEqual } from '../mismatch.mjs';
import { pad } from '../texts/pads.mjs';
import { seamText } from '../texts/texts.mjs';

const STEP_BYTES = 256 * 1024;
/** Every place costs some milliseconds. */
const PLACES = 4;

/**
 * A seam across the end of a step of 256 KiB, where the kernel sees no further, and across the end of what has arrived
 * of a text. @type {import('../fuzz.mjs').Kind}
 */
export const step = {
  name: 'step',
  text: (random) => seamText(random).slice(0, 80),
  check({ counter, tiktoken }, seam, random) {
    // A blank at the start: there the tokens of the pad and of the seam add up.
    const text = Buffer.from(` ${seam}`);
    const tokens = tiktoken.count(` ${seam}`);
    let compared = 0;
    for (let place = 0; place < PLACES; place++) {
      const seenBytes = random.below(text.length + 1);
      const before = pad(random, STEP_BYTES - seenBytes);
      const bytes = Buffer.concat([Buffer.from(before.text), text]);
      const expected = before.tokens + tokens;
      const way = random.below(3);
      if (way === 0 || counter.startCount === undefined) {
        mustEqual(`the count with ${seenBytes} bytes in the first step`, counter.count(bytes), expected);
      } else if (way === 1) {
        const string = `${before.text} ${seam}`;
        mustEqual(
          `the count of the string with ${seenBytes} in the first step`,
          counter.count(string),
          expected,
        );
      } else {
        // It counts what it has when it has this much.
        const counting = counter.startCount();
        counting.push(bytes.subarray(0, STEP_BYTES));
        counting.push(bytes.subarray(STEP_BYTES));
        mustEqual(`the count with ${seenBytes} bytes in the first chunk`, counting.finish(), expected);
      }
      compared++;
    }
    return compared;
  },
};
