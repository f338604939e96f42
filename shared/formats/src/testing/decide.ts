import { type Change, type Cut, type Fitted, KEPT } from '@preflight/core';

/** A decision with only what edits are made from. */
export function decide(messageCount: number, cuts: readonly Cut[], dropped: readonly number[]): Fitted {
  const changes: Change[] = Array.from({ length: messageCount }, () => KEPT);
  for (const { index } of cuts) changes[index] = { action: 'cut', reason: 'even_share' };
  for (const index of dropped) changes[index] = { action: 'dropped', reason: 'oldest_turn' };
  return {
    outcome: 'truncated',
    applied: ['truncate'],
    maxOutputTokens: 1,
    tokens: { before: 0, after: 0, budget: 0, contextWindow: 0, requestOverhead: 0 },
    changes,
    tokensAfter: new Int32Array(messageCount),
    cuts,
    attachmentNotes: [],
    drops: [dropped],
    flags: [],
  };
}

export function cut(index: number, textIndex: number, keepBytes: number): Cut {
  return { index, textIndex, keepBytes, contentTokens: 1 };
}
