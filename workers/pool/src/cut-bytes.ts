import {
  bytesWithinJson,
  type Cut,
  MARK,
  markBetween,
  tailBytesWithinJson,
  utf8JsonBytes,
} from '@preflight/core';
import type { TextToCut } from './cut-message.js';

/** Bytes that are kept of a text at most. */
export interface EndLimits {
  readonly headBytes: number;
  readonly tailBytes: number;
}

const encoder = new TextEncoder();
const jsonBytesOf = (mark: string) => utf8JsonBytes(encoder.encode(mark));

/** The texts as far as they, and the marker behind them, have no more than so many bytes as JSON. At least one, maybe empty. */
export function textsWithin(texts: readonly TextToCut[], maxBytes: number): TextToCut[] {
  let left = Math.max(0, maxBytes - jsonBytesOf(MARK));
  const within: TextToCut[] = [];
  for (const text of texts) {
    const bytes = text.bytes.subarray(0, bytesWithinJson(text.bytes, left));
    const isWhole = bytes.length === text.bytes.length;
    if (isWhole) within.push(text);
    else if (bytes.length > 0 || within.length === 0)
      within.push({
        bytes,
        checkpoints: text.checkpoints.filter(({ endBytes }) => endBytes <= bytes.length),
      });
    if (!isWhole) break;
    left -= utf8JsonBytes(bytes);
  }
  return within;
}

/** What may be kept of both ends of a text, or of its tail alone. */
export function headAndTailWithin({ bytes }: TextToCut, maxBytes: number, isTailAlone: boolean): EndLimits {
  const left = Math.max(0, maxBytes - jsonBytesOf(markBetween(1, 1)));
  const forHead = isTailAlone ? 0 : Math.ceil(left / 2);
  return {
    headBytes: bytesWithinJson(bytes, forHead),
    tailBytes: tailBytesWithinJson(bytes, left - forHead),
  };
}

/** Bytes as JSON of what a cut leaves of the texts, marker included, quotes not. */
export function bytesLeft(texts: readonly TextToCut[], { textIndex, keepBytes, tailBytes = 0 }: Cut): number {
  let left = jsonBytesOf(markBetween(keepBytes, tailBytes));
  for (const [index, { bytes }] of texts.entries()) {
    if (index < textIndex) left += utf8JsonBytes(bytes);
    if (index !== textIndex) continue;
    left += utf8JsonBytes(bytes.subarray(0, keepBytes));
    left += utf8JsonBytes(bytes.subarray(bytes.length - tailBytes));
  }
  return left;
}
