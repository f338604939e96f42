import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../test/harness/runs.js';
import type { Fitted } from '../decision.js';
import type { FitOptions } from '../options.js';
import { unboundLedgers } from '../testing/generated-ledgers.js';
import { fittedOf, ledgerOf, MARKER_TOKENS, optionsFor, refusedOf, runFit } from '../testing/linear-fit.js';
import { FLOOR_TOKENS } from './floor.js';

const FLOOR = FLOOR_TOKENS + MARKER_TOKENS;

const optionsOf = (budget: number, more: Partial<FitOptions> = {}) =>
  optionsFor(budget, { isMaxMin: true, ...more });

const after = (line: string, budget: number, more: Partial<FitOptions> = {}, driftTokens = 0) => [
  ...fittedOf(runFit(ledgerOf(line), optionsOf(budget, more), driftTokens).decision).tokensAfter,
];

describe('a common level', () => {
  test.each([
    {
      what: 'what small ones leave goes to the large',
      line: 's0 a9000 a50 a50 u0',
      budget: 1000,
      left: [900, 50, 50],
    },
    { what: 'in any order', line: 's0 a50 a50 a9000 u0', budget: 1000, left: [50, 50, 900] },
    { what: 'equal ones are equal', line: 's0 a400 a300 a500 u0', budget: 600, left: [200, 200, 200] },
    {
      what: 'what is left over is less than a token each',
      line: 's0 a400 a300 a500 u0',
      budget: 602,
      left: [200, 200, 200],
    },
    { what: 'nobody falls below the floor', line: 's0 a40 a40 a900 u0', budget: 120, left: [40, 40, 40] },
  ])('$what: $line within $budget', ({ line, budget, left }) => {
    expect(after(line, budget)).toEqual([0, ...left, 0]);
  });

  test('scales with the weight of a message', () => {
    const weights = [{ index: 2, weight: 3 }];
    expect(after('s0 a900 a900 u0', 400, { weights })).toEqual([0, 100, 300, 0]);
    expect(after('s0 a900 a900 u0', 400, { isMaxMin: false, weights })).toEqual([0, 100, 300, 0]);
  });

  test('passes over what is pinned', () => {
    expect(after('s0 a900 a900 u0', 1000, { pins: [1] })).toEqual([0, 900, 100, 0]);
  });

  test('holds when a recount is above the plan', () => {
    const { decision, asked } = runFit(ledgerOf('s0 a900 a900 u0'), optionsOf(400), 1);
    expect([...fittedOf(decision).tokensAfter]).toEqual([0, 200, 200, 0]);
    expect(asked.map(({ keepTokens }) => keepTokens)).toEqual([194, 193, 194, 193]);
  });

  test('is refused with all at the floor', () => {
    expect(refusedOf(runFit(ledgerOf('s0 a90 a90 u0'), optionsOf(50)).decision)).toMatchObject({
      code: 'ran_out_of_messages',
      figures: { historyTokensAfter: 2 * FLOOR },
    });
  });
});

describe('whatever the conversation and the budget', () => {
  const budgets = fc.integer({ min: 0, max: 3000 });

  test('only who is above the level is cut, and it is as high as can be', () => {
    fc.assert(
      fc.property(unboundLedgers, budgets, (ledger, budget) => {
        const { decision } = runFit(ledger, optionsOf(budget));
        if (decision.outcome !== 'truncated') return;
        const levels = decision.cuts.map(({ contentTokens }) => contentTokens);
        const level = levels[0] as number;
        expect(levels.every((each) => each === level)).toBe(true);
        const cut = new Set(decision.cuts.map(({ index }) => index));
        const last = ledger.isUser.lastIndexOf(1);
        for (let index = ledger.protectedCount; index < last; index++)
          if (!cut.has(index)) expect(ledger.contentTokens[index]).toBeLessThanOrEqual(level);
        expect(decision.tokens.after).toBeGreaterThan(budget - levels.length);
      }),
      runs(2000),
    );
  });

  test('with a larger budget nobody keeps less', () => {
    const drifts = fc.integer({ min: -1, max: 1 });
    fc.assert(
      fc.property(unboundLedgers, budgets, fc.nat(300), drifts, (ledger, budget, more, driftTokens) => {
        const smaller = runFit(ledger, optionsOf(budget), driftTokens).decision;
        if (smaller.outcome === 'refused') return;
        const larger = runFit(ledger, optionsOf(budget + more), driftTokens).decision as Fitted;
        expect(larger.outcome).not.toBe('refused');
        for (const [index, tokens] of smaller.tokensAfter.entries())
          expect(larger.tokensAfter[index]).toBeGreaterThanOrEqual(tokens);
      }),
      runs(2000),
    );
  });
});
