import {
  type Accounting,
  type AttachmentFigures,
  type MediaFigure,
  overheadRuleFor,
  TOKEN_KINDS,
  type TokenKind,
  type Total,
  totalOf,
  weaker,
} from '@preflight/accounting';
import type { CountJob, CountResult } from '@preflight/contracts';
import { estimateMargins, type Fitted, type Ledger } from '@preflight/core';

/** What decides how far a total may be off. */
type Counted = Pick<CountResult, 'ledger' | 'kinds' | 'estimate' | 'attachments'>;
type AskedFor = Partial<Pick<CountJob, 'count' | 'family' | 'model'>> & { readonly isExact: boolean };

/** All texts of a request and what stands around them, without attachments. */
export function textTotal(job: AskedFor, { ledger, kinds, estimate }: Counted): Total {
  const sum = (column: Int32Array) => column.reduce((total, tokens) => total + tokens, 0);
  const overheadTokens = sum(ledger.otherTokens) + ledger.requestOverheadTokens;
  const tokens = sum(ledger.contentTokens) + overheadTokens;
  const texts: Total = { tokens, low: tokens, high: tokens, basis: job.isExact ? 'exact' : 'estimate' };
  const parts = [texts];
  if (estimate !== undefined) {
    const { belowTokens, aboveTokens } = estimateMargins(estimate, estimate.countedTokens);
    parts.push(room(belowTokens, aboveTokens, 'estimate'));
  }
  if (job.count === 'request') parts.push(overheadRoom(job, kinds, overheadTokens));
  return totalOf(parts);
}

/** No tokens, but room for being wrong about others. */
function room(belowTokens: number, aboveTokens: number, basis: Total['basis']): Total {
  return { tokens: 0, low: -belowTokens, high: aboveTokens, basis };
}

/** Kinds of tokens for which nobody has published a rule: they count as the text that they travel as. */
const UNPUBLISHED: readonly TokenKind[] = ['schemas', 'reasoning', 'other'];

function overheadRoom({ family, model }: AskedFor, kinds: Int32Array, overheadTokens: number): Total {
  const rule = overheadRuleFor(family, model);
  let toolTokens = 0;
  let basis: Total['basis'] = rule.basis;
  for (let at = 0; at < kinds.length; at += 3) {
    const kind = TOKEN_KINDS[kinds[at + 1] as number] as TokenKind;
    if (kind === 'tools') toolTokens += kinds[at + 2] as number;
    if (UNPUBLISHED.includes(kind)) basis = 'estimate';
  }
  const { margin, toolSchemas } = rule;
  let off = (overheadTokens - toolTokens) * margin.fraction + margin.tokens;
  if (toolTokens > 0) {
    off += toolTokens * toolSchemas.margin.fraction + toolSchemas.margin.tokens;
    basis = weaker(basis, toolSchemas.basis);
  }
  return room(Math.ceil(off), Math.ceil(off), basis);
}

/** Attachments by the accounting that decides. */
export function attachmentTotal(
  figures: readonly Pick<AttachmentFigures, 'payload' | 'provider'>[],
  accounting: Accounting,
): Total {
  if (accounting === 'provider') return totalOf(figures.map(({ provider }) => totalIn(provider)));
  // What the provider makes of it may be far less than the text that it travels as.
  return totalOf(
    figures.map(({ payload: { tokens, low, high }, provider }) => ({
      ...{ tokens, high, basis: 'estimate' as const },
      low: Math.min(low, totalIn(provider).low),
    })),
  );
}

/** What is refused counts as the most that is taken. */
export function totalIn(figure: MediaFigure): Total {
  if (figure.tokens !== null) return figure;
  return { tokens: figure.high, low: 0, high: figure.high, basis: 'bound' };
}

/** A total in an answer; `tokens` is left to who knows it better. */
export function boundsIn({ low, high }: Total): { readonly low: number; readonly high: number } {
  return { low: Math.max(0, low), high };
}

/** The request before and after a fit. Texts that are left are as uncertain as they were. */
export function fittedTotals(
  job: AskedFor,
  counted: Counted,
  decision: Fitted,
  accounting: Accounting,
): { readonly before: Total; readonly after: Total } {
  const { attachments = [], ledger } = counted;
  const texts = textTotal(job, counted);
  const before = totalOf([texts, attachmentTotal(attachments, accounting)]);
  if (decision.tokens.after === decision.tokens.before) return { before, after: before };
  const gone = new Set(decision.attachmentNotes.map(({ index }) => index));
  const left = attachments.filter(
    ({ message }) => !gone.has(message) && decision.changes[message]?.action !== 'dropped',
  );
  const textTokens = decision.tokens.after - attachmentsLeft(ledger, decision, gone);
  const share = texts.tokens === 0 ? 0 : textTokens / texts.tokens;
  const textsLeft: Total = {
    tokens: textTokens,
    low: textTokens - Math.ceil((texts.tokens - texts.low) * share),
    high: textTokens + Math.ceil((texts.high - texts.tokens) * share),
    basis: texts.basis,
  };
  return { before, after: totalOf([textsLeft, attachmentTotal(left, accounting)]) };
}

/** What attachments that are left were taken for in the fit. */
function attachmentsLeft(
  { attachmentTokens }: Ledger,
  { changes }: Fitted,
  gone: ReadonlySet<number>,
): number {
  return attachmentTokens.reduce(
    (sum, tokens, index) => (gone.has(index) || changes[index]?.action === 'dropped' ? sum : sum + tokens),
    0,
  );
}
