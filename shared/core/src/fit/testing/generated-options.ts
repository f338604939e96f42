import fc from 'fast-check';
import { LEDGER_ROLES } from '../../ledger.js';
import { type FitStrategy, STRATEGIES } from '../strategies/index.js';
import type { WindowOptions } from '../window-options.js';

const roles = fc.subarray([...LEDGER_ROLES], { maxLength: 2 });

/** Every way to choose a window, the plain ones most. */
export const trims: fc.Arbitrary<WindowOptions> = fc
  .record({
    startOn: fc.option(roles, { nil: undefined, freq: 2 }),
    endOn: fc.option(roles, { nil: undefined, freq: 2 }),
    pinsNewestUser: fc.boolean(),
    shortens: fc.boolean(),
    repairs: fc.boolean(),
  })
  .map(({ startOn, endOn, ...rest }) => ({
    ...rest,
    ...(startOn && { startOn }),
    ...(endOn && { endOn }),
  }));

/** Some of the strategies, in any order. */
export const fallbacks: fc.Arbitrary<FitStrategy[]> = fc.shuffledSubarray(
  Object.keys(STRATEGIES) as FitStrategy[],
  { minLength: 1 },
);

/** Ways to share, and messages that are pinned. */
export const shares = fc
  .record({
    pins: fc.oneof(fc.constant([]), fc.uniqueArray(fc.nat(15), { maxLength: 2 })),
    isMaxMin: fc.boolean(),
    canNoteAttachments: fc.boolean(),
    weights: fc.oneof(
      fc.constant(undefined),
      fc.array(fc.record({ index: fc.nat(15), weight: fc.constantFrom(0.25, 0.5, 2, 3) }), { maxLength: 3 }),
    ),
  })
  .map(({ weights, ...rest }) => ({ ...rest, ...(weights && { weights }) }));
