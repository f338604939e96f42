import { describe, expect, test } from 'vitest';
import { replayFit } from '../fit.js';
import type { FitOptions } from '../options.js';
import { fittedOf, ledgerOf, NOTE_TOKENS, optionsFor, refusedOf, runFit } from '../testing/linear-fit.js';

const run = (line: string, budget: number, more: Partial<FitOptions> = {}) =>
  runFit(ledgerOf(line), optionsFor(budget, { strategies: ['elide_tool_results'], ...more }));

const after = (line: string, budget: number, more: Partial<FitOptions> = {}) => [
  ...fittedOf(run(line, budget, more).decision).tokensAfter,
];

describe('tool results become notes', () => {
  const N = NOTE_TOKENS;
  test.each([
    {
      what: 'the oldest first, as few as it takes',
      line: 's6 u5 c5 r90 c5 r90 u4',
      budget: 130,
      left: [6, 5, 5, N, 5, 90, 4],
    },
    { what: 'all if it must be', line: 's6 u5 c5 r90 c5 r90 u4', budget: 60, left: [6, 5, 5, N, 5, N, 4] },
    {
      what: 'in the midst of a loop, but for its last results',
      line: 's6 u5 c5 r90 c5 r90',
      budget: 130,
      left: [6, 5, 5, N, 5, 90],
    },
    { what: 'and nothing else', line: 's6 u90 c5 r90 u4', budget: 130, left: [6, 90, 5, N, 4] },
    {
      what: 'unless a note would be no shorter',
      line: 's6 u5 c5 r30 c5 r90 u4',
      budget: 70,
      left: [6, 5, 5, 30, 5, N, 4],
    },
  ])('$what: $line within $budget', ({ line, budget, left }) => {
    expect(after(line, budget)).toEqual(left);
  });

  test('but for those that are pinned', () => {
    expect(after('s6 u5 c5 r90 c5 r90 u4', 130, { pins: [3] })).toEqual([6, 5, 5, 90, 5, N, 4]);
  });

  test('and others go on from there', () => {
    const strategies = ['elide_tool_results', 'truncate', 'drop_turns'] as const;
    const line = 's6 u500 c5 r90 u4';
    const options = { strategies };
    const { decision, cuts } = run(line, 100, options);
    expect(fittedOf(decision)).toMatchObject({ outcome: 'truncated', applied: strategies.slice(0, 2) });
    expect(replayFit(ledgerOf(line), optionsFor(100, options), cuts)).toEqual(decision);
    expect(fittedOf(decision).changes[3]).toEqual({ action: 'elided', reason: 'oldest_tool_result' });
  });
});

test('is refused when all are notes, and does not say that one could be shorter', () => {
  const { code, unshrinkable } = refusedOf(run('s6 u5 c5 r90 c5 r90 u4', 20).decision);
  expect(code).toBe('over_budget_after_eliding');
  expect(unshrinkable.map(({ index, reason }) => [index, reason])).toContainEqual([3, 'at_floor']);
});
