import type { Ledger } from '../../ledger.js';
import type { Change } from '../change.js';
import type { History } from '../history.js';
import type { FitOptions } from '../options.js';
import type { AskedCut, Cut } from '../step.js';
import { askCut } from './ask-cut.js';
import { FLOOR_TOKENS } from './floor.js';
import { cutToLevel } from './max-min.js';
import type { Strategy } from './strategy.js';

/** Extra tokens that each cut takes off, against a recount above the plan (`SLACK`, langroid-overflow §1, §2). */
export const SLACK_TOKENS = 2;

/**
 * Takes an even share of the excess from every message that is above the floor (langroid-overflow §4). Only content
 * can be cut, and only between the protected front and the last user message.
 */
export const truncate = {
  name: 'truncate',
  description: 'shortens old messages by even shares and keeps all of them',
  outcome: 'truncated',
  outcomeInWords: 'Fits with old messages shortened',
  refusals: {
    overBudget: {
      code: 'ran_out_of_messages',
      title: 'Nothing left to cut',
      description: 'Every message that may be cut is at its floor, and the history is still over its budget.',
    },
    outputBelowMinimum: {
      code: 'output_below_min_after_truncate',
      title: 'Too little output after truncating',
      description:
        'The output that can be requested is below the minimum, and cutting messages does not change that.',
    },
  },
  isLiteral: true,
  canCut: true,
  unshrinkableReason: 'at_floor',
  compress,
  cuttableMessages,
} as const satisfies Strategy;

const EVEN_SHARE: Change = { action: 'cut', reason: 'even_share' };

function compress(history: History, options: FitOptions): Generator<AskedCut, void, Cut> {
  const indices = cuttableMessages(history.ledger, options).filter(
    (index) => !history.isDropped(index) && !history.isPinned(index),
  );
  return options.isMaxMin || options.weights !== undefined
    ? cutToLevel(history, indices, options)
    : cutEvenly(history, indices, options, EVEN_SHARE);
}

/** Cuts the messages to even shares, in one forward pass; those at the floor are left out. */
export function* cutEvenly(
  history: History,
  messages: readonly number[],
  options: Pick<FitOptions, 'markerTokens' | 'cutSides'>,
  change: Change,
): Generator<AskedCut, void, Cut> {
  const { contentTokens } = history;
  const { markerTokens } = options;
  const capacityOf = (index: number) => (contentTokens[index] ?? 0) - FLOOR_TOKENS - markerTokens;
  const indices = messages.filter((index) => capacityOf(index) > 0);

  // What the messages behind the current one can still give, as a running sum.
  let laterCapacityTokens = indices.reduce((sum, index) => sum + capacityOf(index), 0);
  for (const [position, index] of indices.entries()) {
    if (!history.isOverBudget) return;
    laterCapacityTokens -= capacityOf(index);
    const laterCount = indices.length - position - 1;
    const reductionTokens = evenShare(history.excessTokens, laterCount, laterCapacityTokens);
    const targetTokens = (contentTokens[index] ?? 0) - reductionTokens;
    const keepTokens = Math.max(FLOOR_TOKENS, targetTokens - markerTokens - SLACK_TOKENS);
    history.recordCut(yield askCut(history, index, keepTokens, options), change);
  }
}

/** An equal part of the excess, or more where the messages behind cannot give their part. */
export function evenShare(excessTokens: number, laterCount: number, laterCapacityTokens: number): number {
  return Math.max(Math.ceil(excessTokens / (1 + laterCount)), excessTokens - laterCapacityTokens);
}

function cuttableMessages(ledger: Ledger, { markerTokens }: FitOptions): number[] {
  const lastUserIndex = ledger.isUser.lastIndexOf(1);
  const indices: number[] = [];
  for (let index = ledger.protectedCount; index < lastUserIndex; index++) {
    if ((ledger.contentTokens[index] ?? 0) > FLOOR_TOKENS + markerTokens) indices.push(index);
  }
  return indices;
}
