import { PreflightError, type TextRef } from '@preflight/core';
import { type EncodingName, isShipped } from '@preflight/pool';
import type { Counted } from './vendor-count.js';

/** Ids of the tokens of a text, made in a thread of this process. */
export type Encode = (encoding: EncodingName, text: TextRef, signal: AbortSignal) => Promise<Int32Array>;

/** Most ids of one answer: some 700 KB of JSON. Whoever wants no more than their number has it without them. */
export const MAX_TOKEN_IDS = 100_000;

/** The ids of a text that was counted. Rejects with `too_many_tokens`, and with `invalid_request` where only their number is known. */
export async function idsUpToLimit(
  encode: Encode,
  text: TextRef,
  { tokens, report }: Pick<Counted, 'tokens' | 'report'>,
  signal: AbortSignal,
): Promise<number[]> {
  if (tokens > MAX_TOKEN_IDS)
    throw new PreflightError('too_many_tokens', {
      publicDetail: `The text has ${tokens} tokens; ids are given of at most ${MAX_TOKEN_IDS}.`,
      params: { limit: MAX_TOKEN_IDS, tokens },
    });
  if (!isShipped(report.encoding))
    throw new PreflightError('invalid_request', {
      publicDetail: `Of ${report.encoding} only the number of tokens is known.`,
      issues: [{ pointer: '/return_tokens', detail: 'is for encodings of OpenAI' }],
    });
  return [...(await encode(report.encoding as EncodingName, text, signal))];
}
