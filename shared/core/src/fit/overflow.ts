import { inputCapTokens, isShared } from './budget.js';
import type { FitLimits } from './options.js';

/** What a request can be too large for, as requests and answers name it. */
export type Limit = 'context_window' | 'max_input_tokens' | 'max_output_tokens' | 'budget_tokens';

/** By how much a request as it came is above one of its limits. */
export interface Overflow {
  readonly limit: Limit;
  readonly tokens: number;
}

/**
 * Every limit that a history and the output asked for are above. The window counts both together where they share it;
 * the limit of input has the buffer in it.
 */
export function overflowsOf(historyTokens: number, options: FitLimits): Overflow[] {
  const { contextWindowTokens, budgetTokens, maxOutputTokens, askedOutputTokens = maxOutputTokens } = options;
  const excess: readonly (readonly [Limit, number])[] = [
    [
      'context_window',
      contextWindowTokens === null || !isShared(options)
        ? 0
        : historyTokens + askedOutputTokens - contextWindowTokens,
    ],
    ['max_input_tokens', historyTokens - inputCapTokens(options)],
    ['max_output_tokens', askedOutputTokens - maxOutputTokens],
    ['budget_tokens', budgetTokens === undefined ? 0 : historyTokens - budgetTokens],
  ];
  return excess.flatMap(([limit, tokens]) => (tokens > 0 ? [{ limit, tokens }] : []));
}

/** The limit from which the budget of the history follows. */
export function budgetLimit(options: FitLimits): Limit {
  const { budgetTokens, contextWindowTokens, minOutputTokens, bufferTokens } = options;
  const capTokens = inputCapTokens(options);
  const otherTokens =
    budgetTokens ??
    (isShared(options) && contextWindowTokens !== null
      ? contextWindowTokens - minOutputTokens - bufferTokens
      : Number.POSITIVE_INFINITY);
  if (capTokens < otherTokens) return 'max_input_tokens';
  return budgetTokens === undefined ? 'context_window' : 'budget_tokens';
}

/** Tokens of output that there is room for beside a history, the buffer kept free; the model's limit is no part of it. */
export function roomTokens(historyTokens: number, options: FitLimits): number | null {
  const { contextWindowTokens, bufferTokens } = options;
  if (contextWindowTokens === null || !isShared(options)) return null;
  return Math.max(0, contextWindowTokens - historyTokens - bufferTokens);
}
