import type { Refused } from './refused.js';
import type { Cut } from './step.js';

/**
 * What a fit came to, as a value without content: it can be stored, printed, sent to a thread and replayed, and
 * is turned into text only where it is answered.
 */
export type Decision = Fitted | Refused;

/** The conversation fits, as it is or after the changes described here. Columns have one entry per input message. */
export interface Fitted {
  readonly outcome: 'fits' | 'output_reduced' | 'truncated' | 'turns_dropped';
  /** Output tokens to request. 0 is a number like others (langroid-overflow §10.7). */
  readonly maxOutputTokens: number;
  readonly tokens: TokenTotals;
  /** Row of `CHANGES` for each message; read it with `changeAt`. */
  readonly changes: Uint8Array;
  /** What is left of each message, attachments and overhead included; 0 when dropped. */
  readonly tokensAfter: Int32Array;
  /** In input order. */
  readonly cuts: readonly Cut[];
  /** Input indices of each dropped turn, oldest first. */
  readonly droppedTurns: readonly (readonly number[])[];
}

/** Sums over the history; `before` and `after` contain the request's overhead. */
export interface TokenTotals {
  readonly before: number;
  readonly after: number;
  readonly budget: number;
  readonly contextWindow: number | null;
  readonly requestOverhead: number;
}

/** What happened to a message and why; the reason is null for what was kept. */
export interface Change {
  readonly action: 'kept' | 'cut' | 'dropped';
  readonly reason: ChangeReason | null;
}

/**
 * Why a message was changed:
 * - `even_share`: cut by its even share of the excess (`truncate`, langroid-overflow §4);
 * - `oldest_turn`: part of the oldest turn left while the history was over its budget (`drop_turns`, §5).
 */
export type ChangeReason = 'even_share' | 'oldest_turn';

/** Every change that a strategy can make. Decisions store the row, so rows are only ever added at the end. */
export const CHANGES: readonly Change[] = [
  { action: 'kept', reason: null },
  { action: 'cut', reason: 'even_share' },
  { action: 'dropped', reason: 'oldest_turn' },
];

/** Rows of `CHANGES` by name. A new column is all `KEPT`. */
export const KEPT = 0;
export const CUT_TO_EVEN_SHARE = 1;
export const DROPPED_AS_OLDEST_TURN = 2;

/** What happened to message `index` of the input, and why. */
export function changeAt(fitted: Fitted, index: number): Change {
  const change = CHANGES[fitted.changes[index] ?? CHANGES.length];
  if (change === undefined) throw new RangeError(`the decision has no message ${index}`);
  return change;
}
