import { historyTokens } from '../ledger.js';
import { historyBudgetTokens, outputAfterCompression } from './budget.js';
import { leastTokens } from './compress.js';
import type { Decision, Fitted } from './decision.js';
import { hintsFor } from './hints.js';
import type { History } from './history.js';
import type { FitOptions } from './options.js';
import type { Figures, Refused } from './refused.js';
import { type FitStrategy, STRATEGIES } from './strategies/index.js';
import { unshrinkableOf } from './unshrinkable.js';

/** What compression by the strategies in `applied` came to: enough of it, or a refusal. */
export function concludeCompression(
  applied: readonly FitStrategy[],
  history: History,
  options: FitOptions,
): Decision {
  const outputTokens = outputAfterCompression(history.tokens, options);
  const last = applied.at(-1);
  if (last === undefined || history.isOverBudget || outputTokens < options.minOutputTokens) {
    return refused(last, history, options);
  }
  return fitted({ outcome: STRATEGIES[last].outcome, applied }, outputTokens, history, options);
}

/** The decision for a history that fits as it stands now. */
export function fitted(
  result: Pick<Fitted, 'outcome' | 'applied'>,
  maxOutputTokens: number,
  history: History,
  options: FitOptions,
): Fitted {
  const { changes, droppedTurns, ledger } = history;
  return {
    ...result,
    maxOutputTokens,
    tokens: {
      before: historyTokens(ledger),
      after: history.tokens,
      budget: historyBudgetTokens(options),
      contextWindow: options.contextWindowTokens,
      requestOverhead: ledger.requestOverheadTokens,
    },
    changes,
    tokensAfter: history.tokensAfter(),
    cuts: history.cuts(),
    droppedTurns,
  };
}

/** In the name of the strategy that came last: the last that was tried, or the one that brought it within its budget. */
function refused(lastApplied: FitStrategy | undefined, history: History, options: FitOptions): Refused {
  const budget = historyBudgetTokens(options);
  const figures: Figures = {
    historyTokensBefore: historyTokens(history.ledger),
    historyTokensAfter: history.tokens,
    budget,
    shortfall: Math.max(0, history.tokens - budget),
    contextWindow: options.contextWindowTokens,
    maxOutputTokens: options.maxOutputTokens,
    minOutputTokens: options.minOutputTokens,
  };
  const isOverBudget = figures.shortfall > 0;
  const lastTried = options.strategies.at(-1) as FitStrategy;
  const { refusals } = STRATEGIES[(isOverBudget ? undefined : lastApplied) ?? lastTried];
  const unshrinkable = isOverBudget ? unshrinkableOf(history, options.strategies) : [];
  return {
    outcome: 'refused',
    code: (isOverBudget ? refusals.overBudget : refusals.outputBelowMinimum).code,
    figures,
    unshrinkable,
    hints: hintsFor({
      figures,
      unshrinkable,
      options,
      leastTokens: leastTokens(history.ledger, options),
    }),
  };
}
