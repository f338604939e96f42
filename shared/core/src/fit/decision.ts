import type { Change } from './change.js';
import type { FittedOutcome } from './outcomes.js';
import type { Refused } from './refused.js';
import type { Cut } from './step.js';
import type { FitStrategy, Flag } from './strategies/index.js';

/**
 * What a fit came to, as a value without content: it can be stored, printed, sent to a thread and replayed, and
 * is turned into text only where it is answered.
 */
export type Decision = Fitted | Refused;

/** The conversation fits, as it is or after the changes described here. Columns have one entry per input message. */
export interface Fitted {
  readonly outcome: FittedOutcome;
  /** The strategies that changed something, in order; `outcome` is that of the last. */
  readonly applied: readonly FitStrategy[];
  /** Output tokens to request. 0 is a number like others (langroid-overflow §10.7). */
  readonly maxOutputTokens: number;
  readonly tokens: TokenTotals;
  /** What happened to each message; read it with `changeAt`. */
  readonly changes: readonly Change[];
  /** What is left of each message, attachments and overhead included; 0 when dropped. */
  readonly tokensAfter: Int32Array;
  /** Of messages that are left, in input order. */
  readonly cuts: readonly Cut[];
  /** Messages whose attachments are replaced by a note, in input order. */
  readonly attachmentNotes: readonly AttachmentNote[];
  /** Input indices of each turn or unit that was dropped, in the order of dropping. */
  readonly drops: readonly (readonly number[])[];
  /** Warnings of the strategies that were asked for. */
  readonly flags: readonly Flag[];
}

/** So many tokens of attachments were left out of a message (`attachmentNote`). */
export interface AttachmentNote {
  readonly index: number;
  readonly elidedTokens: number;
}

/** Sums over the history; `before` and `after` contain the request's overhead. */
export interface TokenTotals {
  readonly before: number;
  readonly after: number;
  readonly budget: number;
  readonly contextWindow: number | null;
  readonly requestOverhead: number;
}

/** What happened to message `index` of the input, and why. */
export function changeAt(fitted: Fitted, index: number): Change {
  const change = fitted.changes[index];
  if (change === undefined) throw new RangeError(`the decision has no message ${index}`);
  return change;
}
