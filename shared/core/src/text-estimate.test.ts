import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  countedWithin,
  dearestKind,
  estimatedTokens,
  estimateMargins,
  estimateMarginsOfSome,
  type TextEstimate,
} from './text-estimate.js';
import { TEXT_KINDS } from './text-kind.js';

const ratios = fc
  .tuple(fc.integer({ min: 50, max: 250 }), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }))
  .map(([middle, below, above]) => ({
    tokens: middle / 100,
    low: (middle - below) / 100,
    high: (middle + above) / 100,
  }));
const estimates: fc.Arbitrary<TextEstimate> = fc
  .record({ prose: ratios, code: ratios, json: ratios, cjk: ratios, base64: ratios })
  .map((all) => ({ rule: 'some', date: '2026-11', ratios: all }));
const kinds = fc.constantFrom(...TEXT_KINDS);

test('what is counted within a number of tokens stands for no more than that, and one more for about as much', () => {
  fc.assert(
    fc.property(estimates, kinds, fc.integer({ min: -100, max: 10_000_000 }), (estimate, kind, tokens) => {
      const counted = countedWithin(estimate, kind, tokens);
      expect(estimatedTokens(estimate, kind, counted)).toBeLessThanOrEqual(tokens);
      expect(estimatedTokens(estimate, kind, counted + 1)).toBeGreaterThanOrEqual(tokens);
    }),
  );
});

test('no kind counts more than the dearest', () => {
  fc.assert(
    fc.property(estimates, kinds, fc.nat(100_000), (estimate, kind, counted) => {
      const most = estimatedTokens(estimate, dearestKind(estimate), counted);
      expect(estimatedTokens(estimate, kind, counted)).toBeLessThanOrEqual(most);
    }),
  );
});

test('margins of several kinds add up, and are rounded outwards', () => {
  const ratio = { tokens: 1.5, low: 1.25, high: 1.6 };
  const exact = { tokens: 1, low: 1, high: 1 };
  const estimate: TextEstimate = {
    rule: 'some',
    date: '2026-11',
    ratios: { prose: ratio, code: exact, json: ratio, cjk: exact, base64: exact },
  };
  expect(estimateMargins(estimate, [100, 1000, 10, 5, 0])).toEqual({ belowTokens: 28, aboveTokens: 12 });
  expect(estimateMargins(estimate, [0, 1000, 0, 0, 0])).toEqual({ belowTokens: 0, aboveTokens: 0 });
});

test('margins of some of the texts are those of the least certain kinds, as far as there are any', () => {
  const wide = { tokens: 2, low: 1, high: 4 };
  const near = { tokens: 1, low: 0.9, high: 1 };
  const estimate: TextEstimate = {
    rule: 'some',
    date: '2026-11',
    ratios: { prose: near, code: near, json: wide, cjk: near, base64: near },
  };
  const counted = [1000, 0, 100, 0, 0];
  expect(estimateMarginsOfSome(estimate, counted, 100)).toEqual({ belowTokens: 50, aboveTokens: 100 });
  expect(estimateMarginsOfSome(estimate, counted, 700)).toEqual({ belowTokens: 150, aboveTokens: 200 });
  expect(estimateMarginsOfSome(estimate, counted, 1200)).toEqual(estimateMargins(estimate, counted));
});
