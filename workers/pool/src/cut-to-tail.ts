import { type Cut, markBetween } from '@preflight/core';
import type { Counter } from '@preflight/tokenizer';
import { checkpointBelow } from './checkpoints.js';
import type { TextToCut } from './cut-message.js';

/**
 * Keeps the first and the last tokens of a text, either of which may be none, with the marker between them. Both ends lie
 * between two characters. Reads the whole text, unless its checkpoints tell where its last tokens begin.
 */
export function cutToTail(
  counter: Counter,
  text: TextToCut,
  headTokens: number,
  tailTokens: number,
): Pick<Cut, 'keepBytes' | 'tailBytes' | 'contentTokens'> {
  const { bytes } = text;
  const wholeTokens = text.checkpoints.at(-1)?.tokens ?? counter.count(bytes);
  const keepBytes = lengthOfTokens(counter, text, headTokens);
  const tailStart = Math.max(keepBytes, lengthOfTokens(counter, text, wholeTokens - tailTokens));
  const tailBytes = bytes.length - tailStart;
  const mark = new TextEncoder().encode(markBetween(keepBytes, tailBytes));
  const left = new Uint8Array(keepBytes + mark.length + tailBytes);
  left.set(bytes.subarray(0, keepBytes));
  left.set(mark, keepBytes);
  left.set(bytes.subarray(tailStart), keepBytes + mark.length);
  return { keepBytes, tailBytes, contentTokens: counter.count(left) };
}

/** Bytes of the first tokens of a text, without a character that they end inside of. */
function lengthOfTokens(counter: Counter, { bytes, checkpoints }: TextToCut, tokens: number): number {
  if (tokens <= 0) return 0;
  const { endBytes, tokens: before } = checkpointBelow(checkpoints, tokens);
  return endBytes + counter.cutBytes(bytes.subarray(endBytes), tokens - before);
}
