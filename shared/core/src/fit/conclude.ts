import { bytesIn, historyTokens } from '../ledger.js';
import { historyBudgetTokens, outputAfterCompression, outputBesideHistory } from './budget.js';
import { type Compressed, leastTokens } from './compress.js';
import type { Decision } from './decision.js';
import { elidableIn } from './elidable.js';
import { hintsFor } from './hints.js';
import type { History } from './history.js';
import type { FitOptions } from './options.js';
import type { FittedOutcome } from './outcomes.js';
import { budgetLimit } from './overflow.js';
import type { Figures, Refused } from './refused.js';
import { type FitStrategy, type Flag, STRATEGIES, type Strategy } from './strategies/index.js';
import { unshrinkableOf } from './unshrinkable.js';

/** What the strategies came to: a history that fits, or a refusal. */
export function conclude(compressed: Compressed, history: History, options: FitOptions): Decision {
  const { applied, isFitting, setback } = compressed;
  const asItIs = isFitting ? outputBesideHistory(history.tokens, options) : null;
  const outputTokens = asItIs ?? outputAfterCompression(history.tokens, options);
  const isEnough = isFitting || (!history.isOverBudget && outputTokens >= options.minOutputTokens);
  if (setback !== undefined || !isEnough) return refused(compressed, history, options);
  const { changes, drops, ledger } = history;
  return {
    outcome: outcomeOf(applied, outputTokens, options),
    applied,
    maxOutputTokens: outputTokens,
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
    attachmentNotes: history.attachmentNotes(),
    drops,
    flags: [
      ...options.strategies.flatMap((name) => (STRATEGIES[name] as Strategy).flags?.(history) ?? []),
      ...outputFlags(outputTokens, options),
    ],
  };
}

function outcomeOf(
  applied: readonly FitStrategy[],
  outputTokens: number,
  { maxOutputTokens, askedOutputTokens = maxOutputTokens }: FitOptions,
): FittedOutcome {
  const last = applied.at(-1);
  if (last !== undefined) return STRATEGIES[last].outcome;
  return outputTokens < askedOutputTokens ? 'output_reduced' : 'fits';
}

/** Where the provider ends an answer at the window, a request with little room for one is no reason to refuse. */
function outputFlags(outputTokens: number, options: FitOptions): Flag[] {
  const { windowType, minOutputTokens, maxOutputTokens } = options;
  if (windowType !== 'shared_soft' || outputTokens >= Math.min(minOutputTokens, maxOutputTokens)) return [];
  return [
    {
      code: 'output_below_minimum',
      detail: `The window leaves ${outputTokens} tokens of output, less than the minimum of ${minOutputTokens}: the answer ends there.`,
    },
  ];
}

/** In the name of the strategy that came last: the last that was tried, or the one that brought it within its budget. */
function refused(
  { applied, wholeTokens, wholeBytes, setback, isStuck }: Compressed,
  history: History,
  options: FitOptions,
): Refused {
  const budget = historyBudgetTokens(options);
  const figures: Figures = {
    historyTokensBefore: historyTokens(history.ledger),
    historyTokensAfter: history.tokens,
    budget,
    shortfall: Math.max(0, history.tokens - budget),
    ...byteFigures(history),
    contextWindow: options.contextWindowTokens,
    maxOutputTokens: options.maxOutputTokens,
    minOutputTokens: options.minOutputTokens,
  };
  const { isOverBudget } = history;
  const lastTried = options.strategies.at(-1) as FitStrategy;
  const { refusals } = STRATEGIES[(isOverBudget ? undefined : applied.at(-1)) ?? lastTried];
  const unshrinkable = isOverBudget ? unshrinkableOf(history, options.strategies) : [];
  const refusal = {
    figures,
    wholeTokens,
    wholeBytes,
    unshrinkable,
    options,
    leastTokens: leastTokens(history.ledger, options),
    // All else has been read off the history.
    elidable: elidableIn(history, options),
  };
  return {
    outcome: 'refused',
    code: setback?.code ?? (isOverBudget ? refusals.overBudget : refusals.outputBelowMinimum).code,
    ...(setback && { indices: setback.indices }),
    figures,
    limit: isOverBudget ? budgetLimit(options) : 'context_window',
    unshrinkable,
    hints: isStuck ? [] : hintsFor(refusal),
  };
}

function byteFigures({ ledger, byteAmounts }: History): Pick<Figures, 'bytes'> {
  if (byteAmounts === undefined || ledger.bytes === undefined) return {};
  const { total: after, budget, excess } = byteAmounts;
  return { bytes: { before: bytesIn(ledger.bytes), after, budget, shortfall: Math.max(0, excess) } };
}
