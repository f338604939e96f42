import { roleAt } from '../../ledger.js';
import type { Amounts } from '../amounts.js';
import { markBetween } from '../cut-content.js';
import type { History } from '../history.js';
import type { FitOptions } from '../options.js';
import type { AskedCut } from '../step.js';
import { FLOOR_BYTES, FLOOR_TOKENS } from './floor.js';

/** Extra tokens that each share takes off, against a recount above the plan (`SLACK`, langroid-overflow §1, §2). */
export const SLACK_TOKENS = 2;

/** What cuts are measured by: tokens, or bytes. */
export interface Measure {
  readonly amounts: Amounts;
  /** What cuts may leave of a message's content at least, marker included; a cut that could leave less may do so. */
  leastOf(index: number): number;
  /** Extra that a share takes off. */
  readonly slack: number;
  /** A cut that leaves so much of a message's content, marker included, on the side that is kept of its role. */
  ask(index: number, amount: number): AskedCut;
}

export type MeasureOptions = Pick<FitOptions, 'markerTokens' | 'cutSides'>;

/**
 * The measures that have a budget, in turns: tokens, then bytes, and both once more. A cut by bytes may leave more tokens
 * than it was planned by, and a first change may add to the bytes (`onChange`).
 */
export function measuresOf(history: History, options: MeasureOptions): Measure[] {
  const tokens = tokenMeasure(history, options);
  const { byteAmounts } = history;
  if (byteAmounts === undefined) return [tokens];
  const bytes = byteMeasure(history, byteAmounts, options);
  return [tokens, bytes, tokens, bytes];
}

function tokenMeasure(history: History, options: MeasureOptions): Measure {
  const { markerTokens } = options;
  return {
    amounts: history.tokenAmounts,
    leastOf: () => FLOOR_TOKENS + markerTokens,
    slack: SLACK_TOKENS,
    ask: (index, amount) => ({ ...cutOf(history, index, options), keepTokens: amount - markerTokens }),
  };
}

function byteMeasure(history: History, amounts: Amounts, options: MeasureOptions): Measure {
  // Of later texts that a cut does not take, what stands around them stays.
  const framesOf = (index: number) => history.ledger.bytes?.frames[index] ?? 0;
  return {
    amounts,
    leastOf: (index) => FLOOR_BYTES + MARK_BYTES + framesOf(index),
    slack: 0,
    ask: (index, amount) => ({
      ...cutOf(history, index, options),
      keepTokens: history.contentTokens[index] ?? 0,
      maxContentBytes: amount - framesOf(index),
    }),
  };
}

function cutOf({ ledger }: History, index: number, { cutSides }: MeasureOptions) {
  const role = roleAt(ledger, index);
  const side = role && cutSides?.[role];
  return { type: 'cut' as const, index, ...(side && { side }) };
}

/** Of the longest marker in JSON, where a line break has two bytes. */
const MARK_BYTES = JSON.stringify(markBetween(1, 1)).length - 2;
