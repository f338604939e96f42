import type { Change } from '../change.js';
import type { History } from '../history.js';
import type { Refusal, Strategy } from './strategy.js';

const refusal = {
  code: 'output_below_min_after_drop',
  title: 'Too little output after dropping turns',
  description:
    'The output that can be requested is below the minimum, even without the turns that may be dropped.',
} as const satisfies Refusal;

/**
 * Removes whole turns, oldest first (langroid-overflow §5). A turn is a user message and all that follows up to the
 * next one; the last turn stays, and so does what stands before the first.
 */
export const dropTurns = {
  name: 'drop_turns',
  description: 'removes the oldest turns whole and keeps the rest verbatim',
  outcome: 'turns_dropped',
  outcomeInWords: 'Fits without its oldest turns',
  // One code for both: without its turns, a history that is over its budget leaves too little output.
  refusals: { overBudget: refusal, outputBelowMinimum: refusal },
  isLiteral: true,
  canCut: false,
  unshrinkableReason: 'before_first_user',
  compress: dropOldest,
  cuttableMessages: () => [],
} as const satisfies Strategy;

const OLDEST_TURN: Change = { action: 'dropped', reason: 'oldest_turn' };

/** Asks for no cut. */
// biome-ignore lint/correctness/useYield: it has nothing to wait for
function* dropOldest(history: History): Generator<never, void> {
  const { isUser, protectedCount } = history.ledger;
  let start = isUser.indexOf(1, protectedCount);
  while (history.isOverBudget && start !== -1 && start < history.lastUserIndex) {
    const end = isUser.indexOf(1, start + 1);
    if (!history.holdsPin(start, end)) history.recordDrop(start, end, OLDEST_TURN);
    start = end;
  }
}
