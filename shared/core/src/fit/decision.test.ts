import { expect, test } from 'vitest';
import { changeAt } from './decision.js';
import { fittedOf, ledgerOf, optionsFor, runFit } from './testing/linear-fit.js';

test('tells what happened to each message and why', () => {
  const truncated = fittedOf(runFit(ledgerOf('s6 u300 u2'), optionsFor(200)).decision);
  expect([0, 1, 2].map((index) => changeAt(truncated, index).action)).toEqual(['kept', 'cut', 'kept']);
  const dropped = fittedOf(
    runFit(ledgerOf('s6 u300 u2'), optionsFor(200, { strategies: ['drop_turns'] })).decision,
  );
  expect(changeAt(dropped, 1)).toEqual({ action: 'dropped', reason: 'oldest_turn' });
  expect(() => changeAt(dropped, 3)).toThrow('no message 3');
});
