import { type Change, KEPT } from '../fit/change.js';
import { TRIM_MESSAGES } from './trim-strategy.js';

/** What a trim came to, without content: all messages but those dropped are kept, one of them perhaps shortened. */
export interface TrimDecision {
  readonly outcome: 'fits' | typeof TRIM_MESSAGES.outcome;
  readonly tokens: { readonly before: number; readonly after: number; readonly budget: number };
  /** In input order, none of them empty. */
  readonly dropped: readonly DroppedSpan[];
  readonly shortened: Shortened | null;
}

/** Messages `from` to `to`, the latter not included, and the option that they were dropped for. */
export interface DroppedSpan {
  readonly from: number;
  readonly to: number;
  readonly reason: 'max_tokens' | 'end_on' | 'start_on';
}

/** What is left of a message: a run of its parts, or bytes of one of its texts, which then is its content. */
export type Shortened = { readonly index: number; readonly tokens: number } & (
  | { readonly fromPart: number; readonly toPart: number }
  | ({ readonly part: number } & KeptBytes)
);

/** A stretch of a text, in bytes of UTF-8. */
export interface KeptBytes {
  readonly startBytes: number;
  readonly endBytes: number;
}

/** What happened to each message, the reason being the option that it was done for. Shared values, one entry a message. */
export function trimChanges(messageCount: number, { dropped, shortened }: TrimDecision): Change[] {
  const changes = new Array<Change>(messageCount).fill(KEPT);
  for (const { from, to, reason } of dropped) changes.fill({ action: 'dropped', reason }, from, to);
  if (shortened !== null) changes[shortened.index] = { action: 'cut', reason: 'allow_partial' };
  return changes;
}

/** A decision with its outcome; spans without a message in them are left out. */
export function trimDecision(
  parts: Omit<TrimDecision, 'outcome' | 'dropped'> & { readonly spans: readonly DroppedSpan[] },
): TrimDecision {
  const { tokens, shortened, spans } = parts;
  const dropped = spans.filter(({ from, to }) => from < to);
  const isInput = dropped.length === 0 && shortened === null;
  const fits = isInput && tokens.after <= tokens.budget;
  return { outcome: fits ? 'fits' : TRIM_MESSAGES.outcome, tokens, dropped, shortened };
}
