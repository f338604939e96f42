import type { Ledger } from '../../../ledger.js';
import { type Side, sideOf } from '../side.js';
import type { Unit } from './units.js';

/** By unit: who of what stays in any case has spoken last before it, and who speaks first from it on. */
export interface Sides {
  readonly before: readonly (Side | undefined)[];
  readonly from: readonly (Side | undefined)[];
}

/** `isPinned` has 1 for each unit that stays in any case. */
export function sidesOf(units: readonly Unit[], isPinned: Uint8Array, ledger: Ledger): Sides {
  const before = new Array<Side | undefined>(units.length);
  const from = new Array<Side | undefined>(units.length);
  let last: Side | undefined;
  for (const [position, { end }] of units.entries()) {
    before[position] = last;
    if (isPinned[position] === 1) last = sideOf(ledger, end - 1) ?? last;
  }
  let next: Side | undefined;
  for (let position = units.length - 1; position >= 0; position--) {
    next = sideOf(ledger, (units[position] as Unit).start) ?? next;
    from[position] = next;
  }
  return { before, from };
}
