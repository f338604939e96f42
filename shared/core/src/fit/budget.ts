import type { Budgets } from './history.js';
import type { FitLimits, FitOptions } from './options.js';

/** Tokens that the history may have once it is compressed (`T`, langroid-overflow §1); can be zero or negative. */
export function historyBudgetTokens(options: FitOptions): number {
  const { budgetTokens, contextWindowTokens, minOutputTokens, bufferTokens, summaryTokens = 0 } = options;
  const capTokens = inputCapTokens(options);
  if (budgetTokens !== undefined) return Math.min(budgetTokens, capTokens) - summaryTokens;
  if (contextWindowTokens === null) throw new Error('a fit needs a context window or a budget');
  if (!isShared(options)) return capTokens - summaryTokens;
  return Math.min(contextWindowTokens - minOutputTokens - bufferTokens, capTokens) - summaryTokens;
}

/** What the history may have once it is compressed. */
export function budgetsOf(options: FitOptions): Budgets {
  return { tokens: historyBudgetTokens(options), bytes: options.maxRequestBytes };
}

/**
 * Stage 1, shrink the output: the output that goes with the history as it is, or null if the history has to be
 * compressed (langroid-overflow §3, formats.md §4). The buffer is not part of the trigger where input and output
 * share a window, so a reduction starts with a jump.
 */
export function outputBesideHistory(historyTokens: number, options: FitOptions): number | null {
  const { budgetTokens, contextWindowTokens, maxOutputTokens, bufferTokens } = options;
  if (budgetTokens !== undefined && historyTokens > budgetTokens) return null;
  if (historyTokens > inputCapTokens(options)) return null;
  if (!isShared(options)) return maxOutputTokens;
  if (contextWindowTokens === null || maxOutputTokens <= contextWindowTokens - historyTokens) {
    return maxOutputTokens;
  }
  const reducedTokens = contextWindowTokens - historyTokens - bufferTokens;
  return reducedTokens < leastOutputTokens(options) ? null : reducedTokens;
}

/** The output that goes with a compressed history (langroid-overflow §4 and §5, last lines). */
export function outputAfterCompression(historyTokens: number, options: FitOptions): number {
  const { contextWindowTokens, maxOutputTokens, bufferTokens, summaryTokens = 0 } = options;
  if (contextWindowTokens === null || !isShared(options)) return maxOutputTokens;
  return Math.min(maxOutputTokens, contextWindowTokens - historyTokens - bufferTokens - summaryTokens);
}

/** Whether what is written takes room from what is read. */
export function isShared({ windowType = 'shared_sum' }: Pick<FitLimits, 'windowType'>): boolean {
  return windowType === 'shared_sum' || windowType === 'shared_soft';
}

/** Tokens that a history may have for the limit of input alone, whatever the output; Infinity without such a limit. */
export function inputCapTokens(options: FitLimits): number {
  const { maxInputTokens, contextWindowTokens, bufferTokens } = options;
  const limitTokens = maxInputTokens ?? (isShared(options) ? null : contextWindowTokens);
  return limitTokens === null ? Number.POSITIVE_INFINITY : limitTokens - bufferTokens;
}

/**
 * Output beside which a history stays as it is. Where the provider ends an answer at the window and does not refuse, any
 * will do.
 */
export function leastOutputTokens({ windowType, minOutputTokens }: FitLimits): number {
  return windowType === 'shared_soft' ? Math.min(1, minOutputTokens) : minOutputTokens;
}
