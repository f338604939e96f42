import { textEstimateFor } from '@preflight/accounting';
import { type Cut, loneColumns, PreflightError, replayFit, startFit, toFault } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../outcome.js';
import { shapeOf } from '../testing/shape-of.js';
import { decodeEnd, encodeEnd } from './job-end.js';

const ledger = {
  contentTokens: Int32Array.of(5, 400, 300, 7),
  attachmentTokens: Int32Array.of(0, 70_000, 0, 0),
  otherTokens: Int32Array.of(4, 4, 4, 4),
  ...loneColumns(4),
  isUser: Uint8Array.of(0, 1, 0, 1),
  protectedCount: 1,
  requestOverheadTokens: 3,
};
const options = {
  strategies: ['truncate'],
  contextWindowTokens: null,
  maxOutputTokens: 100,
  minOutputTokens: 64,
  bufferTokens: 300,
  markerTokens: 8,
} as const;
const counted: Outcome = {
  counts: Int32Array.of(5, 400, 70_000),
  kinds: Int32Array.of(1, 2, 3, -1, 6, 40),
  ledger,
  emptyAttachments: [1],
  cache: { hits: 2, misses: 1 },
  queueMs: 0.5,
  countMs: 1.25,
  fit: undefined,
  trimming: undefined,
};
const estimate = { ...textEstimateFor('claude-opus-4-7'), tokens: 620, countedTokens: [400, 0, 5, 0, 0] };

/** Fitted into a budget, each cut keeping what is asked for and the marker. */
function fitted(budgetTokens: number): Outcome {
  const given = { ...options, budgetTokens };
  const fit = startFit(ledger, given);
  const cuts: Cut[] = [];
  for (let { step } = fit; step.type === 'cut'; ) {
    const { index, keepTokens } = step;
    const contentTokens = keepTokens + options.markerTokens;
    cuts.push({ index, textIndex: 0, keepBytes: 2 ** 31 - 1, contentTokens });
    step = fit.next(cuts.at(-1) as Cut);
  }
  return { ...counted, fit: { options: given, cuts, decision: replayFit(ledger, given, cuts), fitMs: 2 } };
}

describe('the end of a job', () => {
  test.each([
    ['what was only counted', counted],
    ['what was estimated', { ...counted, estimate }],
    ['what fits', fitted(1_000_000)],
    ['what was cut', fitted(70_500)],
    ['what cannot fit', fitted(10)],
    ['nothing', { ...counted, counts: new Int32Array(), emptyAttachments: [] }],
  ])('of %s is the outcome again', (_, outcome) => {
    const end = { kind: 'preflight', outcome } as const;
    expect(decodeEnd(encodeEnd(end))).toEqual(end);
  });

  test('names the request that it answers', () => {
    const end = { kind: 'count', body: { digest: 'ab', bytes: 7 }, outcome: counted } as const;
    expect(decodeEnd(encodeEnd(end))).toEqual(end);
  });

  test('in a fault is the fault again', () => {
    const fault = toFault(new PreflightError('deadline_exceeded', { publicDetail: '…' }));
    expect(decodeEnd(encodeEnd({ fault }))).toEqual({ fault });
  });

  test('has cuts, as bytes to keep', () => {
    expect(fitted(70_500).fit?.cuts.length).toBeGreaterThan(0);
    expect(fitted(10).fit?.decision.outcome).toBe('refused');
  });

  test('is a few bytes for each message', () => {
    const length = 100_000;
    const columns = { contentTokens: 1, attachmentTokens: 0, otherTokens: 4 };
    const many = Object.fromEntries(
      Object.entries(columns).map(([name, tokens]) => [name, new Int32Array(length).fill(tokens)]),
    );
    const outcome: Outcome = {
      ...counted,
      counts: new Int32Array(length),
      ledger: { ...ledger, ...many, ...loneColumns(length), isUser: new Uint8Array(length) },
    };
    const bytes = encodeEnd({ kind: 'count', outcome });
    expect(bytes.length / length).toBeLessThan(38);
  });

  test('of another version is refused', () => {
    const other = encodeEnd({ kind: 'count', outcome: counted })
      .toString()
      .replace(/"version":\d+/, '"version":999');
    expect(() => decodeEnd(Buffer.from(other))).toThrow(
      expect.objectContaining({ code: 'version_mismatch' }),
    );
  });

  test('has another version whenever it has another shape', async () => {
    const outcome = { ...fitted(70_500), estimate };
    const bytes = encodeEnd({ kind: 'preflight', outcome });
    await expect(shapeOf(bytes)).toMatchFileSnapshot('shapes/job-end.txt');
  });
});
