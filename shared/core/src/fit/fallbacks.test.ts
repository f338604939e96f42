import { expect, test } from 'vitest';
import { replayFit } from './fit.js';
import type { FitStrategy } from './strategies/index.js';
import { fittedOf, ledgerOf, optionsFor, refusedOf, runFit } from './testing/linear-fit.js';

const HISTORY = 's6 u300 a300 u300 a300 u4';

const run = (budget: number, strategies: readonly FitStrategy[], line = HISTORY) =>
  runFit(ledgerOf(line), optionsFor(budget, { strategies }));

test.each([
  { budget: 800, strategies: ['truncate', 'drop_turns'], applied: ['truncate'], outcome: 'truncated' },
  { budget: 800, strategies: ['drop_turns', 'truncate'], applied: ['drop_turns'], outcome: 'turns_dropped' },
  {
    budget: 100,
    strategies: ['truncate', 'drop_turns'],
    applied: ['truncate', 'drop_turns'],
    outcome: 'turns_dropped',
  },
  {
    what: 'nothing to drop',
    line: 's6 a300 u4',
    budget: 100,
    strategies: ['drop_turns', 'truncate'],
    applied: ['truncate'],
    outcome: 'truncated',
  },
] as const)('$strategies within $budget: $applied', ({ budget, strategies, applied, outcome, ...more }) => {
  const line = 'line' in more ? more.line : HISTORY;
  const { decision, cuts } = run(budget, strategies, line);
  expect(decision).toMatchObject({ outcome, applied });
  expect(fittedOf(decision).tokens.after).toBeLessThanOrEqual(budget);
  const ledger = ledgerOf(line);
  expect(replayFit(ledger, optionsFor(budget, { strategies }), cuts)).toEqual(decision);
});

test('of what was cut before it was dropped, nothing is left in the decision', () => {
  const { decision, cuts } = run(100, ['truncate', 'drop_turns']);
  const { cuts: left, tokensAfter, changes } = fittedOf(decision);
  expect(cuts.map(({ index }) => index)).toEqual([1, 2, 3, 4]);
  expect(left.map(({ index }) => index)).toEqual([3, 4]);
  expect([...tokensAfter]).toEqual([6, 0, 0, 36, 36, 4]);
  expect(changes.map(({ action }) => action)).toEqual(['kept', 'dropped', 'dropped', 'cut', 'cut', 'kept']);
});

test('is refused in the name of the last, when all have done what they can', () => {
  const first = refusedOf(run(5, ['truncate', 'drop_turns']).decision);
  expect(first).toMatchObject({
    code: 'output_below_min_after_drop',
    figures: { historyTokensAfter: 10, shortfall: 5 },
  });
  expect(refusedOf(run(5, ['drop_turns', 'truncate']).decision)).toMatchObject({
    code: 'ran_out_of_messages',
    figures: { historyTokensAfter: 10, shortfall: 5 },
  });
});

test.each([[['truncate', 'drop_turns']], [['drop_turns', 'truncate']]] as const)(
  'with %j what was cut has no advice to shorten it',
  (strategies) => {
    const { unshrinkable, hints } = refusedOf(run(20, strategies, 's6 a300 u4').decision);
    expect(unshrinkable.map(({ reason }) => reason)).toEqual(['system', 'at_floor', 'last_user']);
    expect(hints.map(({ code }) => code)).not.toContain('shorten_before_first_user');
  },
);
