import { historyTokens } from '../ledger.js';
import { historyBudgetTokens, outputAfterCompression } from './budget.js';
import type { Decision, Fitted } from './decision.js';
import { hintsFor } from './hints.js';
import type { History } from './history.js';
import type { FitOptions } from './options.js';
import type { Figures, Refused } from './refused.js';
import { STRATEGIES } from './strategies/index.js';
import { unshrinkableOf } from './unshrinkable.js';

/** What compression came to: enough of it, or a refusal. */
export function concludeCompression(history: History, options: FitOptions): Decision {
  const outputTokens = outputAfterCompression(history.tokens, options);
  if (history.tokens > historyBudgetTokens(options) || outputTokens < options.minOutputTokens) {
    return refused(history, options);
  }
  return fitted(STRATEGIES[options.strategy].outcome, outputTokens, history, options);
}

/** The decision for a history that fits as it stands now. */
export function fitted(
  outcome: Fitted['outcome'],
  maxOutputTokens: number,
  history: History,
  options: FitOptions,
): Fitted {
  const { changes, cuts, droppedTurns, ledger } = history;
  return {
    outcome,
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
    cuts,
    droppedTurns,
  };
}

function refused(history: History, options: FitOptions): Refused {
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
  const strategy = STRATEGIES[options.strategy];
  const isOverBudget = figures.shortfall > 0;
  const unshrinkable = isOverBudget ? unshrinkableOf(history, options.strategy) : [];
  return {
    outcome: 'refused',
    code: (isOverBudget ? strategy.refusals.overBudget : strategy.refusals.outputBelowMinimum).code,
    figures,
    unshrinkable,
    hints: hintsFor({
      figures,
      unshrinkable,
      options,
      leastTokens: strategy.leastTokens(history.ledger, options.markerTokens),
    }),
  };
}
