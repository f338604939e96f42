import type { FitOptions } from './options.js';

/** Tokens that the history may have once it is compressed (`T`, langroid-overflow §1); can be zero or negative. */
export function historyBudgetTokens(options: FitOptions): number {
  const { budgetTokens, contextWindowTokens, minOutputTokens, bufferTokens, summaryTokens = 0 } = options;
  if (budgetTokens !== undefined) return budgetTokens - summaryTokens;
  if (contextWindowTokens === null) throw new Error('a fit needs a context window or a budget');
  return contextWindowTokens - minOutputTokens - bufferTokens - summaryTokens;
}

/**
 * Stage 1, shrink the output: the output that goes with the history as it is, or null if the history has to be
 * compressed (langroid-overflow §3). The buffer is not part of the trigger, so a reduction starts with a jump.
 */
export function outputBesideHistory(historyTokens: number, options: FitOptions): number | null {
  const { budgetTokens, contextWindowTokens, maxOutputTokens, minOutputTokens, bufferTokens } = options;
  if (budgetTokens !== undefined && historyTokens > budgetTokens) return null;
  if (contextWindowTokens === null || maxOutputTokens <= contextWindowTokens - historyTokens) {
    return maxOutputTokens;
  }
  const reducedTokens = contextWindowTokens - historyTokens - bufferTokens;
  return reducedTokens < minOutputTokens ? null : reducedTokens;
}

/** The output that goes with a compressed history (langroid-overflow §4 and §5, last lines). */
export function outputAfterCompression(historyTokens: number, options: FitOptions): number {
  const { contextWindowTokens, maxOutputTokens, bufferTokens, summaryTokens = 0 } = options;
  if (contextWindowTokens === null) return maxOutputTokens;
  return Math.min(maxOutputTokens, contextWindowTokens - historyTokens - bufferTokens - summaryTokens);
}
