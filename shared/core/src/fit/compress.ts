import type { Ledger } from '../ledger.js';
import { History } from './history.js';
import type { FitOptions } from './options.js';
import type { AskedCut, Cut } from './step.js';
import { type FitStrategy, STRATEGIES } from './strategies/index.js';

/**
 * Each strategy in turn, on what the earlier ones left, until the history is within its budget or all have done what
 * they can. Returns those that changed something, in order.
 */
export function* compress(
  history: History,
  options: FitOptions,
): Generator<AskedCut, readonly FitStrategy[], Cut> {
  const applied: FitStrategy[] = [];
  for (const name of options.strategies) {
    if (!history.isOverBudget) break;
    const changesBefore = history.changeCount;
    yield* STRATEGIES[name].compress(history, options);
    if (history.changeCount > changesBefore) applied.push(name);
  }
  return applied;
}

/** Messages that any of the strategies may ask to be cut, ascending. */
export function cuttableMessages(ledger: Ledger, options: FitOptions): number[] {
  const indices = options.strategies.map((name) => STRATEGIES[name].cuttableMessages(ledger, options));
  return [...new Set(indices.flat())].sort((a, b) => a - b);
}

/** Tokens to which the strategies together can bring a history, whatever the budget. */
export function leastTokens(ledger: Ledger, options: FitOptions): number {
  const history = new History(ledger, Number.NEGATIVE_INFINITY);
  const pass = compress(history, options);
  for (let asked = pass.next(); !asked.done; ) {
    const { index, keepTokens } = asked.value;
    // A recount may be above the plan by one (langroid-overflow §2).
    const contentTokens = keepTokens + options.markerTokens + 1;
    asked = pass.next({ index, textIndex: 0, keepBytes: 0, contentTokens });
  }
  return history.tokens;
}
