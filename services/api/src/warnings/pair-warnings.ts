import type { Warning } from '@preflight/contracts';
import { type Ledger, UNIT_FAULTS, type UnitFault } from '@preflight/core';

/** More places than this tell a reader nothing new. */
const MAX_PLACES = 20;

/**
 * Calls and results that do not match (`UNIT_FAULTS`), each kind once: providers refuse them, though they count all the
 * same. A call at the end whose result is still to come is none of them, nor is one that lacks no more than its signature.
 */
export function pairWarnings({ unitFaults }: Pick<Ledger, 'unitFaults'>): Warning[] {
  const places = new Map<UnitFault, number[]>();
  for (const [index, position] of unitFaults.entries()) {
    const fault = UNIT_FAULTS[position - 1];
    if (fault === undefined || fault === 'pending_call' || fault === 'unsigned_call') continue;
    const known = places.get(fault);
    if (known === undefined) places.set(fault, [index]);
    else known.push(index);
  }
  return [...places].map(([code, indices]) => ({
    code,
    detail: `Calls of tools and their results do not match in ${messagesAt(indices)}: the provider refuses that.`,
  }));
}

function messagesAt(indices: readonly number[]): string {
  const named = indices.slice(0, MAX_PLACES).join(', ');
  const others = indices.length - MAX_PLACES;
  return `messages ${named}${others > 0 ? ` and ${others} more` : ''}`;
}
