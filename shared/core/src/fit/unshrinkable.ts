import type { History } from './history.js';
import type { Unshrinkable, UnshrinkableReason } from './refused.js';
import { type FitStrategy, STRATEGIES } from './strategies/index.js';

/** Everything that is left and has tokens, with the reason why it could not give more (langroid-overflow §8). */
export function unshrinkableOf(history: History, strategy: FitStrategy): Unshrinkable[] {
  const { ledger } = history;
  const entries: Unshrinkable[] = [];
  const add = (entry: Unshrinkable) => {
    if (entry.contentTokens + entry.attachmentTokens + entry.otherTokens > 0) entries.push(entry);
  };
  add({
    index: null,
    reason: 'request_overhead',
    contentTokens: 0,
    attachmentTokens: 0,
    otherTokens: ledger.requestOverheadTokens,
  });
  for (let index = 0; index < ledger.isUser.length; index++) {
    if (history.changes[index]?.action === 'dropped') continue;
    add({
      index,
      reason: reasonOf(index, history, strategy),
      contentTokens: history.contentTokens[index] ?? 0,
      attachmentTokens: ledger.attachmentTokens[index] ?? 0,
      otherTokens: ledger.otherTokens[index] ?? 0,
    });
  }
  return entries;
}

/** The first that matches, in the order of the specification. */
function reasonOf(index: number, history: History, strategy: FitStrategy): UnshrinkableReason {
  if (index < history.ledger.protectedCount) return 'system';
  if (history.lastUserIndex === -1) return 'no_user_message';
  if (index === history.lastUserIndex) return 'last_user';
  if (index > history.lastUserIndex) return 'after_last_user';
  return STRATEGIES[strategy].unshrinkableReason;
}
