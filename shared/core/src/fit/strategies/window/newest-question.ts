import type { Ledger } from '../../../ledger.js';
import { UNIT_FAULTS } from '../../../units.js';
import type { History } from '../../history.js';
import { frontEndOf, type Unit } from './units.js';

/** Whether the turn under way has a call that is not signed behind the front, and then behind each unit: 1 or 0. */
export function unsignedTurns(units: readonly Unit[], ledger: Ledger): Uint8Array {
  const { isUser, unitFaults } = ledger;
  const unsigned = UNIT_FAULTS.indexOf('unsigned_call') + 1;
  let isUnsigned = false;
  const see = ({ start, end }: Unit) => {
    for (let index = start; index < end; index++)
      isUnsigned = unitFaults[index] === unsigned || (isUnsigned && isUser[index] !== 1);
    return Number(isUnsigned);
  };
  return Uint8Array.from([{ start: 0, end: frontEndOf(ledger) }, ...units], see);
}

/**
 * The newest question, if without it a turn before it would be under way again and is not signed; or infinite. Only what is
 * pinned stays before a question that goes.
 */
export function reopeningOf(units: readonly Unit[], isPinned: Uint8Array, ledger: Ledger): number {
  const newest = units.findLastIndex(({ start }) => ledger.isUser[start] === 1);
  if (newest === -1 || isPinned[newest] === 1) return Number.POSITIVE_INFINITY;
  const left = units.slice(0, newest + 1).filter((_, position) => isPinned[position] === 1);
  return unsignedTurns(left, ledger).at(-1) === 1 ? newest : Number.POSITIVE_INFINITY;
}

/** Thinking that counts in windows behind the newest question, which would leave that out (`IdleThinking`). */
export interface Waking {
  /** Of the unit with the newest question. */
  readonly position: number;
  readonly tokens: number;
}

/** What comes back where the newest question goes, before which only what is pinned stays; undefined where it stays. */
export function wakingOf(
  units: readonly Unit[],
  isPinned: Uint8Array,
  { ledger }: History,
): Waking | undefined {
  const { idleTokens, questions } = ledger;
  if (idleTokens === undefined || questions === undefined) return undefined;
  const asks = ({ start, end }: Unit) => questions.subarray(start, end).includes(1);
  const position = units.findLastIndex(asks);
  if (position === -1 || isPinned[position] === 1) return undefined;
  let tokens = 0;
  for (let before = position - 1; before >= 0; before--) {
    if (isPinned[before] !== 1) continue;
    const { start, end } = units[before] as Unit;
    const newest = questions.subarray(start, end).lastIndexOf(1);
    for (let index = start + newest + 1; index < end; index++) tokens += idleTokens[index] ?? 0;
    if (newest !== -1) break;
  }
  return { position, tokens };
}
