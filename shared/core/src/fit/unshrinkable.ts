import type { History } from './history.js';
import type { Unshrinkable, UnshrinkableReason } from './refused.js';
import { dropTurns } from './strategies/drop-turns.js';
import { type FitStrategy, type KnownStrategy, STRATEGIES, type StrategyReason } from './strategies/index.js';
import { truncate } from './strategies/truncate.js';

/** Everything that is left and has tokens, or bytes that are counted, with the reason why it could not give more (langroid-overflow §8). */
export function unshrinkableOf(history: History, strategies: readonly FitStrategy[]): Unshrinkable[] {
  const { ledger, byteAmounts } = history;
  const entries: Unshrinkable[] = [];
  const betweenReason = reasonBetween(strategies);
  const add = (entry: Unshrinkable) => {
    const { contentTokens, attachmentTokens, otherTokens, bytes = 0 } = entry;
    if (contentTokens + attachmentTokens + otherTokens + bytes > 0) entries.push(entry);
  };
  add({
    index: null,
    reason: 'request_overhead',
    contentTokens: 0,
    attachmentTokens: 0,
    otherTokens: ledger.requestOverheadTokens,
    ...(byteAmounts && { bytes: byteAmounts.overhead }),
  });
  for (let index = 0; index < ledger.isUser.length; index++) {
    if (history.isDropped(index)) continue;
    add({
      index,
      reason: reasonOf(index, history, betweenReason),
      contentTokens: history.contentTokens[index] ?? 0,
      attachmentTokens: history.attachmentTokens[index] ?? 0,
      otherTokens: history.otherTokens[index] ?? 0,
      ...(byteAmounts && {
        contentBytes: byteAmounts.content[index] ?? 0,
        attachmentBytes: byteAmounts.attachments[index] ?? 0,
        bytes: byteAmounts.of(index),
      }),
    });
  }
  return entries;
}

/** The first that matches, in the order of the specification. */
function reasonOf(index: number, history: History, betweenReason: StrategyReason): UnshrinkableReason {
  if (index < history.ledger.protectedCount) return 'system';
  if (['cut', 'elided'].includes(history.changes[index]?.action ?? '')) return truncate.unshrinkableReason;
  if (history.lastUserIndex === -1) return 'no_user_message';
  if (index === history.lastUserIndex) return 'last_user';
  if (index > history.lastUserIndex) return 'after_last_user';
  // A turn stays with what is pinned in it.
  const isInTurn = index >= history.firstTurnIndex && betweenReason === dropTurns.unshrinkableReason;
  return history.isPinned(index) || isInTurn ? 'pinned' : betweenReason;
}

/** Whoever can cut has done so; only where nobody can, less content would help. */
function reasonBetween(strategies: readonly FitStrategy[]): StrategyReason {
  const known = strategies.map((name) => STRATEGIES[name]);
  return (known.find(({ canCut }) => canCut) ?? (known[0] as KnownStrategy)).unshrinkableReason;
}
