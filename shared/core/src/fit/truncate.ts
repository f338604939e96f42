import { historyTokens, type Ledger } from '../ledger.js';
import type { History } from './history.js';
import { FLOOR_TOKENS, SLACK_TOKENS } from './options.js';
import type { AskedCut, Cut } from './step.js';

/**
 * Stage 2, `truncate` (langroid-overflow §4): one forward pass that takes an even share of the excess from every
 * message that is above the floor. Only content can be cut, and only between the protected front and the last user
 * message. The history is still over its budget afterwards if these messages could not give enough.
 */
export function* truncate(
  history: History,
  budgetTokens: number,
  markerTokens: number,
): Generator<AskedCut, void, Cut> {
  const { contentTokens, ledger, lastUserIndex } = history;
  const capacityOf = (index: number) =>
    Math.max(0, (contentTokens[index] ?? 0) - FLOOR_TOKENS - markerTokens);

  // What the messages behind the current one can still give, as running sums: the pass stays linear.
  let laterCapacityTokens = 0;
  let laterCount = 0;
  for (let index = ledger.protectedCount; index < lastUserIndex; index++) {
    laterCapacityTokens += capacityOf(index);
    if (capacityOf(index) > 0) laterCount += 1;
  }

  for (let index = ledger.protectedCount; index < lastUserIndex; index++) {
    const excessTokens = history.tokens - budgetTokens;
    if (excessTokens <= 0) return;
    const capacityTokens = capacityOf(index);
    if (capacityTokens === 0) continue;
    laterCapacityTokens -= capacityTokens;
    laterCount -= 1;
    const reductionTokens = evenShare(excessTokens, laterCount, laterCapacityTokens);
    const targetTokens = (contentTokens[index] ?? 0) - reductionTokens;
    const keepTokens = Math.max(FLOOR_TOKENS, targetTokens - markerTokens - SLACK_TOKENS);
    history.recordCut(yield { type: 'cut', index, keepTokens });
  }
}

/**
 * Tokens to which `truncate` can bring a history whatever the budget: every message that can be cut is at the floor. A
 * recount may be above the plan by one (langroid-overflow §2), so one is added for every cut.
 */
export function leastAfterTruncation(ledger: Ledger, markerTokens: number): number {
  const mostCutTokens = FLOOR_TOKENS + markerTokens + 1;
  const lastUserIndex = ledger.isUser.lastIndexOf(1);
  let tokens = historyTokens(ledger);
  for (let index = ledger.protectedCount; index < lastUserIndex; index++) {
    tokens -= Math.max(0, (ledger.contentTokens[index] ?? 0) - mostCutTokens);
  }
  return tokens;
}

/** An equal part of the excess, or more where the messages behind cannot give their part. */
export function evenShare(excessTokens: number, laterCount: number, laterCapacityTokens: number): number {
  return Math.max(Math.ceil(excessTokens / (1 + laterCount)), excessTokens - laterCapacityTokens);
}
