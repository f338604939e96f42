import { hasRole, type Ledger, type LedgerRole } from '../../../ledger.js';
import type { History } from '../../history.js';

/** Messages that stay or go together: `start` up to `end`, the latter not included. */
export interface Unit {
  readonly start: number;
  readonly end: number;
}

/** The protected messages, and the rest of a unit that begins among them. */
export function frontEndOf({ units, protectedCount }: Ledger): number {
  let end = Math.min(protectedCount, units.length);
  while (end > 0 && end < units.length && (units[end] ?? end) < end) end += 1;
  return end;
}

/** Units behind the front that are left, oldest first. */
export function unitsBehindFront(history: History): Unit[] {
  const { units: unitStarts } = history.ledger;
  const units: Unit[] = [];
  for (let start = frontEndOf(history.ledger), end = start; start < unitStarts.length; start = end) {
    end = start + 1;
    while (end < unitStarts.length && (unitStarts[end] ?? end) < end) end += 1;
    if (!history.isDropped(start)) units.push({ start, end });
  }
  return units;
}

/** 1 for each unit that holds a pin; where roles alternate, for all of its turn, which nothing may be parted from. */
export function pinnedUnits(units: readonly Unit[], history: History): Uint8Array {
  const { rolesAlternate, isUser } = history.ledger;
  const pinned = Uint8Array.from(units, ({ start, end }) => Number(history.holdsPin(start, end)));
  if (!rolesAlternate || !pinned.includes(1)) return pinned;
  for (let start = 0, end = 0; start < units.length; start = end) {
    end = start + 1;
    while (end < units.length && isUser[(units[end] as Unit).start] !== 1) end += 1;
    if (pinned.subarray(start, end).includes(1)) pinned.fill(1, start, end);
  }
  return pinned;
}

/** The unit from which on nothing may be parted from this one: where roles alternate, that with which its turn begins. */
export function leastBefore(
  position: number,
  units: readonly Unit[],
  { rolesAlternate, isUser }: Ledger,
): number {
  let start = position;
  while (rolesAlternate && start > 0 && isUser[(units[start] as Unit).start] !== 1) start -= 1;
  return start;
}

/** Whether somebody of a role speaks in it. */
export function holdsRole(ledger: Ledger, { start, end }: Unit, role: LedgerRole): boolean {
  for (let index = start; index < end; index++) if (hasRole(ledger, index, [role])) return true;
  return false;
}
