import type { Change } from './change.js';
import type { KeptIn } from './elision-note.js';
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
  /** Notes in the place of attachments, in input order. */
  readonly attachmentNotes: readonly AttachmentNote[];
  /** Input indices of each turn or unit that was dropped, in the order of dropping. */
  readonly drops: readonly (readonly number[])[];
  /** Warnings of the strategies that were asked for. */
  readonly flags: readonly Flag[];
}

/** So many tokens of attachments were left out of a message (`attachmentNote`): all of them that have no note of their own. */
export interface AttachmentNote {
  readonly index: number;
  readonly elidedTokens: number;
  /** Of a note about one of them: which, and where the same one is kept, unless that was left out later. */
  readonly position?: number;
  readonly kept?: AttachmentPlace | undefined;
}

/** An attachment: its message, and which of the attachments of that it is. */
export interface AttachmentPlace {
  readonly index: number;
  readonly position: number;
}

/** Where an attachment is kept, as seen from message `index`. */
export function keptIn(index: number, kept: AttachmentPlace | undefined): KeptIn | undefined {
  if (kept === undefined) return undefined;
  if (kept.index === index) return 'here';
  return kept.index < index ? 'earlier' : 'later';
}

/** Whether an attachment is left as it was. */
export type IsAttachmentLeft = (place: AttachmentPlace) => boolean;

/** Tells of every attachment whether it is left: neither dropped with its message, nor replaced by a note. */
export function attachmentsLeft(fitted: Pick<Fitted, 'changes' | 'attachmentNotes'>): IsAttachmentLeft {
  const noted = new Map<number, Set<number>>();
  const emptied = new Set<number>();
  for (const { index, position } of fitted.attachmentNotes)
    if (position === undefined) emptied.add(index);
    else noted.set(index, (noted.get(index) ?? new Set()).add(position));
  return ({ index, position }) =>
    fitted.changes[index]?.action !== 'dropped' && !emptied.has(index) && !noted.get(index)?.has(position);
}

/** What is left of the tokens that a ledger has in attachments, a number a message. */
export function attachmentTokensLeft(
  { changes, attachmentNotes }: Pick<Fitted, 'changes' | 'attachmentNotes'>,
  attachmentTokens: Int32Array,
): Int32Array {
  const left = attachmentTokens.map((tokens, index) => (changes[index]?.action === 'dropped' ? 0 : tokens));
  for (const { index, elidedTokens, position } of attachmentNotes)
    left[index] = position === undefined ? 0 : Math.max(0, (left[index] ?? 0) - elidedTokens);
  return left;
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
