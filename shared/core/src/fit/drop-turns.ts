import type { Ledger } from '../ledger.js';
import { History } from './history.js';

/**
 * Stage 2, `drop_turns` (langroid-overflow §5): removes whole turns, oldest first, until the history is within its
 * budget. A turn is a user message and all that follows up to the next one; the last turn stays, and so does what
 * stands before the first. The history is still over its budget afterwards if that was not enough.
 */
export function dropTurns(history: History, budgetTokens: number): void {
  const { isUser, protectedCount } = history.ledger;
  let start = isUser.indexOf(1, protectedCount);
  while (history.tokens > budgetTokens && start !== -1 && start < history.lastUserIndex) {
    const end = isUser.indexOf(1, start + 1);
    history.recordDrop(start, end);
    start = end;
  }
}

/** Tokens to which `drop_turns` can bring a history whatever the budget: all turns but the last are gone. */
export function leastAfterDropping(ledger: Ledger): number {
  const history = new History(ledger);
  dropTurns(history, -Infinity);
  return history.tokens;
}
