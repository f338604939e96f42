import { type Cut, MARK } from '@preflight/core';
import type { Counter } from '@preflight/tokenizer';

const mark = new TextEncoder().encode(MARK);

/**
 * Cuts one message to the first `keepTokens` tokens of its texts and puts the marker behind them: texts before the cut
 * stay whole, later ones go. The new content is counted afresh, since a text plus its marker is not always the sum of
 * the two (langroid-overflow §2).
 */
export function cutMessage(
  counter: Counter,
  index: number,
  texts: readonly Uint8Array[],
  keepTokens: number,
): Cut {
  let wholeTokens = 0;
  for (const [textIndex, text] of texts.entries()) {
    const wantedTokens = keepTokens - wholeTokens;
    const isLast = textIndex === texts.length - 1;
    // Of a text that is cut anyway, only what is kept is counted.
    const whole = isLast ? undefined : counter.countUpTo(text, wantedTokens - 1);
    if (whole !== undefined && !whole.exceeded) {
      wholeTokens += whole.tokens;
      continue;
    }
    const keepBytes = counter.cutBytes(text, wantedTokens);
    const shortened = new Uint8Array(keepBytes + mark.length);
    shortened.set(text.subarray(0, keepBytes));
    shortened.set(mark, keepBytes);
    return { index, textIndex, keepBytes, contentTokens: wholeTokens + counter.count(shortened) };
  }
  throw new RangeError(`message ${index} has no text to cut`);
}
