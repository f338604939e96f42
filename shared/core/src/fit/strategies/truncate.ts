import type { Ledger } from '../../ledger.js';
import type { Change } from '../change.js';
import type { History } from '../history.js';
import type { FitOptions } from '../options.js';
import type { AskedCut, Cut } from '../step.js';
import { FLOOR_BYTES, FLOOR_TOKENS } from './floor.js';
import { cutToLevel } from './max-min.js';
import { type MeasureOptions, measuresOf } from './measure.js';
import type { Strategy } from './strategy.js';

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

/**
 * Cuts the messages to even shares, in one forward pass for each budget; those at the floor are left out. What is cut for
 * bytes may be no whole tokens.
 */
export function* cutEvenly(
  history: History,
  messages: readonly number[],
  options: MeasureOptions,
  change: Change,
): Generator<AskedCut, void, Cut> {
  for (const { amounts, leastOf, slack, ask } of measuresOf(history, options)) {
    const contentOf = (index: number) => amounts.content[index] ?? 0;
    const indices = messages.filter((index) => contentOf(index) > leastOf(index));

    // What the messages behind the current one can still give, as a running sum.
    let laterCapacity = indices.reduce((sum, index) => sum + contentOf(index) - leastOf(index), 0);
    for (const [position, index] of indices.entries()) {
      if (amounts.excess <= 0) break;
      laterCapacity -= contentOf(index) - leastOf(index);
      const laterCount = indices.length - position - 1;
      const target = contentOf(index) - evenShare(amounts.excess, laterCount, laterCapacity);
      history.recordCut(yield ask(index, Math.max(leastOf(index), target - slack)), change);
    }
  }
}

/** An equal part of the excess, or more where the messages behind cannot give their part. */
export function evenShare(excess: number, laterCount: number, laterCapacity: number): number {
  return Math.max(Math.ceil(excess / (1 + laterCount)), excess - laterCapacity);
}

function cuttableMessages(ledger: Ledger, options: FitOptions): number[] {
  const lastUserIndex = ledger.isUser.lastIndexOf(1);
  const indices: number[] = [];
  for (let index = ledger.protectedCount; index < lastUserIndex; index++)
    if (isAboveFloor(ledger, index, options)) indices.push(index);
  return indices;
}

/** Whether the content of a message is more than what every cut leaves of it, in tokens or in bytes. */
export function isAboveFloor({ contentTokens, bytes }: Ledger, index: number, options: FitOptions): boolean {
  if ((contentTokens[index] ?? 0) > FLOOR_TOKENS + options.markerTokens) return true;
  return options.maxRequestBytes !== undefined && (bytes?.content[index] ?? 0) > FLOOR_BYTES;
}
