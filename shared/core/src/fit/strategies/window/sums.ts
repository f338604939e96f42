import type { Amounts } from '../../amounts.js';
import type { Unit } from './units.js';

/** Sums from which all windows can be told, of tokens or of bytes. */
export interface WindowSums {
  readonly amounts: Amounts;
  /** What the messages before the units have, and what belongs to no message. */
  readonly front: number;
  /** Of the pinned units before each. */
  readonly pinnedBefore: Float64Array;
  /** Of each unit and all behind it. */
  readonly from: Float64Array;
}

/** Made in one pass over the messages; `isPinned` has 1 for each unit that stays in any case. */
export function sumsOf(
  amounts: Amounts,
  { units, frontEnd }: { readonly units: readonly Unit[]; readonly frontEnd: number },
  isPinned: Uint8Array,
): WindowSums {
  const firstUnpinned = isPinned.indexOf(0);
  const from = new Float64Array(units.length + 1);
  const pinnedBefore = new Float64Array(units.length + 1);
  for (let position = units.length - 1; position >= 0; position--)
    from[position] =
      (from[position + 1] ?? 0) + amountOf(amounts, units[position] as Unit, position > firstUnpinned);
  for (const [position, pinned] of isPinned.entries())
    pinnedBefore[position + 1] =
      (pinnedBefore[position] ?? 0) + pinned * ((from[position] ?? 0) - (from[position + 1] ?? 0));
  let front = amounts.overhead;
  for (let index = 0; index < frontEnd; index++) front += amounts.of(index);
  return { amounts, front, pinnedBefore, from };
}

/** What a unit has, in front of whatever is left out or behind it. */
function amountOf(amounts: Amounts, { start, end }: Unit, isBehind: boolean): number {
  let amount = 0;
  for (let index = start; index < end; index++)
    amount += isBehind ? amounts.looseOf(index) : amounts.of(index);
  return amount;
}
