import type { PreflightResult, Warning } from '@preflight/contracts';
import type { Message } from '@preflight/core';

/**
 * Where turns are other than one who knows no pairs would have them, which matters once a strategy was applied: a
 * message of the user between a call and its result begins none.
 */
export function turnWarnings(
  messages: readonly Message[],
  { decision, ledger }: Pick<PreflightResult, 'decision' | 'ledger'>,
): Warning[] {
  if (decision.outcome !== 'refused' && decision.applied.length === 0) return [];
  const inside = messages.flatMap(({ role, results, startsTurn = role === 'user' }, index) =>
    startsTurn && results === undefined && ledger.isUser[index] === 0 ? [index] : [],
  );
  if (inside.length === 0) return [];
  return [
    {
      code: 'turn_within_unit',
      detail: `No turn begins with messages ${inside.slice(0, 20).join(', ')}, which stand between a call and its result: those are kept together.`,
    },
  ];
}
