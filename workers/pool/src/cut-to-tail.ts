import { type Cut, markBetween } from '@preflight/core';
import type { Counter } from '@preflight/tokenizer';
import { checkpointBelow } from './checkpoints.js';
import type { EndLimits } from './cut-bytes.js';
import type { TextToCut } from './cut-message.js';
import type { TextMeter } from './text-meter.js';

/**
 * Keeps the first and the last tokens of a text, either of which may be none, with the marker between them. Both ends lie
 * between two characters. Reads the whole text, unless its checkpoints tell where its last tokens begin.
 */
export function cutToTail(
  meter: TextMeter,
  text: TextToCut,
  headTokens: number,
  tailTokens: number,
  limits?: EndLimits,
): Pick<Cut, 'keepBytes' | 'tailBytes' | 'contentTokens'> {
  const { bytes } = text;
  const { counter } = meter;
  const wholeTokens = text.checkpoints.at(-1)?.tokens ?? counter.count(bytes);
  const { headBytes, tailBytes: mostTailBytes } = limits ?? {
    headBytes: bytes.length,
    tailBytes: bytes.length,
  };
  const { keepBytes, tailBytes, tokens } = meter.cut(bytes, (counted) => {
    const keepBytes = Math.min(lengthOfTokens(counter, text, counted(headTokens)), headBytes);
    const beforeTail = lengthOfTokens(counter, text, wholeTokens - counted(tailTokens));
    const tailBytes = Math.min(bytes.length - Math.max(keepBytes, beforeTail), mostTailBytes);
    const left = joined(bytes, keepBytes, tailBytes);
    return { keepBytes, tailBytes, countedTokens: counter.count(left), left: [left] };
  });
  return { keepBytes, tailBytes, contentTokens: tokens };
}

/** What is left of a text, with the marker in it. */
function joined(bytes: Uint8Array, keepBytes: number, tailBytes: number): Uint8Array {
  const mark = new TextEncoder().encode(markBetween(keepBytes, tailBytes));
  const left = new Uint8Array(keepBytes + mark.length + tailBytes);
  left.set(bytes.subarray(0, keepBytes));
  left.set(mark, keepBytes);
  left.set(bytes.subarray(bytes.length - tailBytes), keepBytes + mark.length);
  return left;
}

/** Bytes of the first tokens of a text, without a character that they end inside of. */
function lengthOfTokens(counter: Counter, { bytes, checkpoints }: TextToCut, tokens: number): number {
  if (tokens <= 0) return 0;
  const { endBytes, tokens: before } = checkpointBelow(checkpoints, tokens);
  return endBytes + counter.cutBytes(bytes.subarray(endBytes), tokens - before);
}
