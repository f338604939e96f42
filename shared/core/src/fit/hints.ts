import type { FitOptions } from './options.js';
import type { Figures, Hint, HintCode, Unshrinkable, UnshrinkableReason } from './refused.js';

/**
 * What the caller can do, only what can help, in the order of langroid-overflow §8. With an explicit budget the
 * window decides about the output alone: what is over the budget is then helped by the budget, not by the window.
 */
export function hintsFor(
  figures: Figures,
  unshrinkable: readonly Unshrinkable[],
  options: FitOptions,
): Hint[] {
  const refusal: Refusal = {
    ...figures,
    unshrinkable,
    isBudgetGiven: options.budgetTokens !== undefined,
    bufferTokens: options.bufferTokens,
  };
  return ROWS.flatMap(([code, detailOf]) => {
    const detail = detailOf(refusal);
    return detail === null ? [] : [{ code, detail }];
  });
}

interface Refusal extends Figures {
  readonly unshrinkable: readonly Unshrinkable[];
  readonly isBudgetGiven: boolean;
  readonly bufferTokens: number;
}

/** Each hint with its sentence, or null where it cannot help. */
const ROWS: readonly (readonly [HintCode, (refusal: Refusal) => string | null])[] = [
  ['raise_context_window', raiseContextWindow],
  ['lower_min_output_tokens', lowerMinOutput],
  ['lower_max_output_tokens', lowerMaxOutput],
  ['raise_max_output_tokens', raiseMaxOutput],
  ['raise_budget_tokens', raiseBudget],
  ['lower_budget_tokens', lowerBudget],
  ['shorten_system', shorten('system', 'Protected messages at the front')],
  ['shorten_last_user', shorten('last_user', 'The last user message')],
  ['shorten_after_last_user', shorten('after_last_user', 'Messages after the last user message')],
  ['shorten_before_first_user', shorten('before_first_user', 'Messages before the first user message')],
  ['reduce_attachments', reduceAttachments],
];

function raiseContextWindow(refusal: Refusal): string | null {
  const { historyTokensBefore, historyTokensAfter, contextWindow, isBudgetGiven } = refusal;
  const { maxOutputTokens, minOutputTokens } = refusal;
  const enoughTokens: number[] = [];
  // Enough for all of it, or for the minimal output beside what compression leaves.
  if (!isBudgetGiven || historyTokensBefore <= refusal.budget) {
    enoughTokens.push(historyTokensBefore + maxOutputTokens);
  }
  if (maxOutputTokens >= minOutputTokens && (!isBudgetGiven || refusal.shortfall === 0)) {
    enoughTokens.push(historyTokensAfter + minOutputTokens + refusal.bufferTokens);
  }
  if (contextWindow === null || enoughTokens.length === 0) return null;
  return `A context window of ${Math.min(...enoughTokens)} tokens would be enough; it is set to ${contextWindow}. Raise it if the model's own is larger.`;
}

function lowerMinOutput(refusal: Refusal): string | null {
  const { historyTokensAfter, shortfall, contextWindow, minOutputTokens, maxOutputTokens } = refusal;
  if (contextWindow === null || minOutputTokens <= 0) return null;
  const leftTokens = contextWindow - historyTokensAfter - refusal.bufferTokens;
  const canHelp = refusal.isBudgetGiven
    ? shortfall === 0 && maxOutputTokens >= minOutputTokens && leftTokens >= 0
    : shortfall > 0;
  if (!canHelp) return null;
  return leftTokens >= 0
    ? `A minimal output of ${leftTokens} tokens would be enough; it is set to ${minOutputTokens}.`
    : `A minimal output below ${minOutputTokens} tokens makes room, but ${-leftTokens} tokens are missing even without any.`;
}

function lowerMaxOutput(refusal: Refusal): string | null {
  const { historyTokensBefore, shortfall, contextWindow } = refusal;
  if (contextWindow === null || contextWindow - historyTokensBefore < 1) return null;
  const canHelp = refusal.isBudgetGiven ? historyTokensBefore <= refusal.budget : shortfall > 0;
  if (!canHelp) return null;
  const roomTokens = contextWindow - historyTokensBefore;
  return `An output of at most ${roomTokens} tokens fits beside the whole history, without the buffer of ${refusal.bufferTokens}.`;
}

function raiseMaxOutput({ shortfall, maxOutputTokens, minOutputTokens }: Refusal): string | null {
  if (shortfall > 0 || maxOutputTokens >= minOutputTokens) return null;
  return `The output asked for, ${maxOutputTokens} tokens, is below the minimum of ${minOutputTokens}.`;
}

function raiseBudget({ isBudgetGiven, shortfall, historyTokensAfter, budget }: Refusal): string | null {
  if (!isBudgetGiven || shortfall === 0) return null;
  return `A budget of ${historyTokensAfter} tokens would be enough; it is set to ${budget}.`;
}

function lowerBudget(refusal: Refusal): string | null {
  const { isBudgetGiven, shortfall, contextWindow, maxOutputTokens, minOutputTokens, budget } = refusal;
  if (!isBudgetGiven || shortfall > 0 || contextWindow === null || maxOutputTokens < minOutputTokens)
    return null;
  const roomTokens = contextWindow - minOutputTokens - refusal.bufferTokens;
  return `A budget of at most ${roomTokens} tokens leaves room for the minimal output; it is set to ${budget}.`;
}

function shorten(reason: UnshrinkableReason, subject: string): (refusal: Refusal) => string | null {
  return ({ unshrinkable }) => {
    const tokens = sum(unshrinkable, (entry) => (entry.reason === reason ? entry.contentTokens : 0));
    return tokens === 0 ? null : `${subject}: ${tokens} tokens of content, which is never cut.`;
  };
}

function reduceAttachments({ unshrinkable }: Refusal): string | null {
  const tokens = sum(unshrinkable, (entry) => entry.attachmentTokens);
  return tokens === 0
    ? null
    : `Attachments of the remaining messages have ${tokens} tokens and are never cut.`;
}

function sum(entries: readonly Unshrinkable[], tokensOf: (entry: Unshrinkable) => number): number {
  return entries.reduce((total, entry) => total + tokensOf(entry), 0);
}
