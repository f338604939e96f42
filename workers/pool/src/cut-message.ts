import { type Cut, MARK } from '@preflight/core';
import type { Counter } from '@preflight/tokenizer';
import { type Checkpoints, checkpointBelow } from './checkpoints.js';
import type { TextMeter } from './text-meter.js';

const mark = new TextEncoder().encode(MARK);

export interface TextToCut {
  readonly bytes: Uint8Array;
  /** Empty where nothing is known. */
  readonly checkpoints: Checkpoints;
}

/**
 * Cuts one message to the first `keepTokens` tokens of its texts and puts the marker behind them: texts before the cut
 * stay whole, later ones go. The new content is counted afresh, since a text plus its marker is not always the sum of
 * the two (langroid-overflow §2).
 */
export function cutMessage(
  meter: TextMeter,
  index: number,
  texts: readonly TextToCut[],
  keepTokens: number,
): Cut {
  let wholeTokens = 0;
  for (const [textIndex, text] of texts.entries()) {
    const wantedTokens = keepTokens - wholeTokens;
    const isLast = textIndex === texts.length - 1;
    // Of a text that is cut anyway, only what is kept is counted.
    const whole = isLast ? undefined : meter.countUpTo(text.bytes, wantedTokens - 1);
    if (whole !== undefined && !whole.exceeded) {
      wholeTokens += whole.tokens;
      continue;
    }
    const { keepBytes, tokens } = meter.cut(text.bytes, (counted) => {
      const cut = cutText(meter.counter, text, counted(wantedTokens));
      return { ...cut, left: [text.bytes.subarray(0, cut.keepBytes), mark] };
    });
    return { index, textIndex, keepBytes, contentTokens: wholeTokens + tokens };
  }
  throw new RangeError(`message ${index} has no text to cut`);
}

/**
 * The first `keepTokens` counted tokens of a text, and what they and the marker count. A marker that the text ends with from an
 * earlier cut is never kept, not even in part, so that markers do not pile up.
 */
function cutText(
  counter: Counter,
  { bytes, checkpoints }: TextToCut,
  keepTokens: number,
): { keepBytes: number; countedTokens: number } {
  const { endBytes: start, tokens: startTokens } = checkpointBelow(checkpoints, keepTokens);
  const stretch = bytes.subarray(start);
  const unmarkedBytes = lengthWithoutMark(bytes) - start;
  const cutBytes = Math.min(counter.cutBytes(stretch, keepTokens - startTokens), unmarkedBytes);
  // Tokens may end just behind a marker inside of the text, too.
  const keptBytes = lengthWithoutMark(stretch.subarray(0, Math.max(cutBytes, 0)));
  // A checkpoint is a safe split between the characters around it, so one of those behind it must be left.
  if (keptBytes <= 0 && start > 0) return cutText(counter, { bytes, checkpoints: [] }, keepTokens);
  const shortened = new Uint8Array(keptBytes + mark.length);
  shortened.set(stretch.subarray(0, keptBytes));
  shortened.set(mark, keptBytes);
  return { keepBytes: start + keptBytes, countedTokens: startTokens + counter.count(shortened) };
}

function lengthWithoutMark(bytes: Uint8Array): number {
  let length = bytes.length;
  while (length >= mark.length && mark.every((byte, i) => bytes[length - mark.length + i] === byte))
    length -= mark.length;
  return length;
}
