import { expect, test } from 'vitest';
import { changeAt } from '../decision.js';
import { fittedOf, ledgerOf, optionsFor, refusedOf, runFit } from '../testing/linear-fit.js';

const drop = (line: string, budget: number, protectedCount = 1) =>
  runFit(ledgerOf(line, { protectedCount }), optionsFor(budget, { strategies: ['drop_turns'] })).decision;

test.each([
  { what: 'the oldest turn goes', line: 's6 u72 a74 u67 a73 u3', budget: 294, turns: [[1, 2]], after: 149 },
  {
    what: 'as many as it takes',
    line: 's6 u72 a74 u67 a73 u3',
    budget: 148,
    turns: [
      [1, 2],
      [3, 4],
    ],
    after: 9,
  },
  {
    what: 'a budget just met is enough',
    line: 's6 u72 a74 u67 a73 u3',
    budget: 149,
    turns: [[1, 2]],
    after: 149,
  },
  {
    what: 'tool results go with their call',
    line: 's6 u9 a9 t90 a9 u3',
    budget: 20,
    turns: [[1, 2, 3, 4]],
    after: 9,
  },
  {
    what: 'users in a row are turns of one',
    line: 's6 u50 u50 u50 u3',
    budget: 110,
    turns: [[1]],
    after: 109,
  },
  {
    what: 'before the first user all stays',
    line: 's6 a50 s5 u50 a5 u3',
    budget: 70,
    turns: [[3, 4]],
    after: 64,
  },
  { what: 'after the last user all stays', line: 's6 u50 u3 a40', budget: 50, turns: [[1]], after: 49 },
  {
    what: 'attachments go with their turn',
    line: 's6 u5@900+4 a5 u3',
    budget: 20,
    turns: [[1, 2]],
    after: 9,
  },
])('$what: $line', ({ line, budget, turns, after }) => {
  const fitted = fittedOf(drop(line, budget));
  expect(fitted.outcome).toBe('turns_dropped');
  expect(fitted.drops).toEqual(turns);
  expect(fitted.tokens.after).toBe(after);
  expect(fitted.tokensAfter.reduce((sum, tokens) => sum + tokens)).toBe(after);
  expect(fitted.cuts).toEqual([]);
  const changed = [...fitted.changes.keys()].filter((index) => changeAt(fitted, index).action === 'dropped');
  expect(changed).toEqual(turns.flat());
});

test('a user message at index 0 starts a turn when nothing at the front is protected', () => {
  expect(fittedOf(drop('u50 a5 u3', 10, 0)).drops).toEqual([[0, 1]]);
});

test.each([
  {
    what: 'no user message',
    line: 's6 a50 a50',
    after: 106,
    reasons: ['system', 'no_user_message', 'no_user_message'],
  },
  { what: 'one turn', line: 's6 u50 a50', after: 106, reasons: ['system', 'last_user', 'after_last_user'] },
  {
    what: 'a leading message',
    line: 's6 a50 u50 u9',
    after: 65,
    reasons: ['system', 'before_first_user', 'last_user'],
  },
  { what: 'the only user at the front', line: 'u50 a50', after: 100, reasons: ['system', 'after_last_user'] },
])('is refused with $what', ({ line, after, reasons }) => {
  const refused = refusedOf(drop(line, 20));
  expect(refused.code).toBe('output_below_min_after_drop');
  expect(refused.figures.historyTokensAfter).toBe(after);
  expect(refused.unshrinkable.map((entry) => entry.reason)).toEqual(reasons);
});
