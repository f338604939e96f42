import type { Change } from '../change.js';
import type { History } from '../history.js';
import type { FitOptions } from '../options.js';
import type { AskedCut, Cut } from '../step.js';
import { askCut } from './ask-cut.js';
import { FLOOR_TOKENS } from './floor.js';

const COMMON_SHARE: Change = { action: 'cut', reason: 'common_share' };

/**
 * Cuts messages to a common level, as high as the budget allows: whoever is below it stays whole, and what that leaves
 * goes to the others. A weight scales the level of a message. The result does not depend on the order of messages, and
 * with a larger budget none keeps less. Linear in the messages, times the digits of the level.
 */
export function* cutToLevel(
  history: History,
  messages: readonly number[],
  options: Pick<FitOptions, 'markerTokens' | 'weights' | 'cutSides'>,
): Generator<AskedCut, void, Cut> {
  const { contentTokens } = history;
  const { markerTokens, weights = [] } = options;
  const floorTokens = FLOOR_TOKENS + markerTokens;
  const indices = messages.filter((index) => (contentTokens[index] ?? 0) > floorTokens);
  const weightByIndex = new Map(weights.map(({ index, weight }) => [index, weight]));
  const weightOf = (index: number) => weightByIndex.get(index) ?? 1;
  const levelOf = (index: number, level: number) =>
    Math.max(floorTokens, Math.floor(level * weightOf(index)));
  const boundFrom = boundTokensFrom(history);
  const level = highestLevel(
    indices.reduce(
      (top, index) => Math.max(top, Math.ceil((contentTokens[index] ?? 0) / weightOf(index))),
      0,
    ),
    (tried) => {
      let excessTokens = history.excessTokens;
      let firstCut: number | undefined;
      for (const index of indices) {
        const cutTokens = (contentTokens[index] ?? 0) - levelOf(index, tried);
        if (cutTokens <= 0) continue;
        excessTokens -= cutTokens;
        firstCut ??= index;
      }
      return excessTokens - (firstCut === undefined ? 0 : (boundFrom[firstCut] ?? 0)) <= 0;
    },
  );
  for (const index of indices) {
    const levelTokens = levelOf(index, level);
    // A recount may be above the plan (langroid-overflow §2); that gives nobody more than the level.
    let keepTokens = levelTokens - markerTokens;
    while ((contentTokens[index] ?? 0) > levelTokens && keepTokens >= FLOOR_TOKENS) {
      history.recordCut(yield askCut(history, index, keepTokens, options), COMMON_SHARE);
      keepTokens -= 1;
    }
  }
}

/** Tokens that go with a change at each message because they are bound to what stands before them. */
function boundTokensFrom(history: History): Float64Array {
  const sums = new Float64Array(history.changes.length + 1);
  for (let index = history.changes.length - 1; index >= 0; index--) {
    const boundTokens = history.isDropped(index) ? 0 : history.tokensOf(index) - history.looseTokensOf(index);
    sums[index] = (sums[index + 1] ?? 0) + boundTokens;
  }
  return sums;
}

/** The highest level up to `top` that is low enough; 0 if none is. */
function highestLevel(top: number, isLowEnough: (level: number) => boolean): number {
  let low = 0;
  let high = top;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isLowEnough(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
