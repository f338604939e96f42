import { expect, test } from 'vitest';
import { CHANGES, CUT_TO_EVEN_SHARE, changeAt, DROPPED_AS_OLDEST_TURN, KEPT } from './decision.js';
import { fittedOf, ledgerOf, optionsFor, runFit } from './testing/linear-fit.js';

test('rows by name are the rows of the table', () => {
  expect(CHANGES[KEPT]).toEqual({ action: 'kept', reason: null });
  expect(CHANGES[CUT_TO_EVEN_SHARE]).toEqual({ action: 'cut', reason: 'even_share' });
  expect(CHANGES[DROPPED_AS_OLDEST_TURN]).toEqual({ action: 'dropped', reason: 'oldest_turn' });
});

test('tells what happened to each message and why', () => {
  const truncated = fittedOf(runFit(ledgerOf('s6 u300 u2'), optionsFor(200)).decision);
  expect([0, 1, 2].map((index) => changeAt(truncated, index).action)).toEqual(['kept', 'cut', 'kept']);
  const dropped = fittedOf(
    runFit(ledgerOf('s6 u300 u2'), optionsFor(200, { strategy: 'drop_turns' })).decision,
  );
  expect(changeAt(dropped, 1)).toEqual({ action: 'dropped', reason: 'oldest_turn' });
  expect(() => changeAt(dropped, 3)).toThrow('no message 3');
});
