import type { Amounts } from '../amounts.js';
import type { Change } from '../change.js';
import type { History } from '../history.js';
import type { FitOptions } from '../options.js';
import type { AskedCut, Cut } from '../step.js';
import { type MeasureOptions, measuresOf } from './measure.js';

const COMMON_SHARE: Change = { action: 'cut', reason: 'common_share' };

/**
 * Cuts messages to a common level, as high as each budget allows: whoever is below it stays whole, and what that leaves
 * goes to the others. A weight scales the level of a message. The result does not depend on the order of messages, and
 * with a larger budget none keeps less. Linear in the messages, times the digits of the level.
 */
export function* cutToLevel(
  history: History,
  messages: readonly number[],
  options: MeasureOptions & Pick<FitOptions, 'weights'>,
): Generator<AskedCut, void, Cut> {
  const weightByIndex = new Map((options.weights ?? []).map(({ index, weight }) => [index, weight]));
  const weightOf = (index: number) => weightByIndex.get(index) ?? 1;
  for (const { amounts, leastOf, ask } of measuresOf(history, options)) {
    if (amounts.excess <= 0) continue;
    const contentOf = (index: number) => amounts.content[index] ?? 0;
    const indices = messages.filter((index) => contentOf(index) > leastOf(index));
    const levelOf = (index: number, level: number) =>
      Math.max(leastOf(index), Math.floor(level * weightOf(index)));
    const boundFrom = boundAmountsFrom(history, amounts);
    const level = highestLevel(
      indices.reduce((top, index) => Math.max(top, Math.ceil(contentOf(index) / weightOf(index))), 0),
      (tried) => {
        let { excess } = amounts;
        let firstCut: number | undefined;
        for (const index of indices) {
          const cutAmount = contentOf(index) - levelOf(index, tried);
          if (cutAmount <= 0) continue;
          excess -= cutAmount;
          firstCut ??= index;
        }
        return excess - (firstCut === undefined ? 0 : (boundFrom[firstCut] ?? 0)) <= 0;
      },
    );
    for (const index of indices) {
      const levelAmount = levelOf(index, level);
      // A recount may be above the plan (langroid-overflow §2); that gives nobody more than the level.
      for (let amount = levelAmount; contentOf(index) > levelAmount && amount >= leastOf(index); amount -= 1)
        history.recordCut(yield ask(index, amount), COMMON_SHARE);
    }
  }
}

/** What goes with a change at each message because it is bound to what stands before it. */
function boundAmountsFrom(history: History, amounts: Amounts): Float64Array {
  const sums = new Float64Array(history.changes.length + 1);
  for (let index = history.changes.length - 1; index >= 0; index--) {
    const bound = history.isDropped(index) ? 0 : amounts.of(index) - amounts.looseOf(index);
    sums[index] = (sums[index + 1] ?? 0) + bound;
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
