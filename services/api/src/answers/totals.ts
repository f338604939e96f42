import {
  type Accounting,
  type AttachmentFigures,
  type OverheadRule,
  overheadRuleFor,
  TOKEN_KINDS,
  type TokenKind,
  type Total,
  totalOf,
  weaker,
} from '@preflight/accounting';
import type { CountJob, CountResult } from '@preflight/contracts';
import {
  attachmentsLeft,
  attachmentTokensLeft,
  estimateMargins,
  estimateMarginsOfSome,
  type Fitted,
  type IsAttachmentLeft,
  type Ledger,
} from '@preflight/core';
import { attachmentTotal } from '../attachments/attachment-totals.js';

/** What decides how far a total may be off. */
type Counted = Pick<CountResult, 'ledger' | 'kinds' | 'estimate' | 'attachments'>;
type AskedFor = Partial<Pick<CountJob, 'count' | 'family' | 'model' | 'overheadRule'>> & {
  readonly isExact: boolean;
};

/** All texts of a request and what stands around them, without attachments. */
export function textTotal(job: AskedFor, counted: Counted): Total {
  return totalOf([textPart(job, counted), overheadPart(job, counted)]);
}

/** The texts alone. Where they are estimated, those in calls and schemas are among them. */
export function textPart(
  { isExact }: Pick<AskedFor, 'isExact'>,
  { ledger, estimate }: Pick<Counted, 'ledger' | 'estimate'>,
): Total {
  if (estimate === undefined) {
    const tokens = sum(ledger.contentTokens);
    return { tokens, low: tokens, high: tokens, basis: isExact ? 'exact' : 'estimate' };
  }
  const { tokens } = estimate;
  const { belowTokens, aboveTokens } = estimateMargins(estimate, estimate.countedTokens);
  return { tokens, low: Math.max(0, tokens - belowTokens), high: tokens + aboveTokens, basis: 'estimate' };
}

/** What stands around the texts of `textPart`: the rest of all that is no attachment. */
export function overheadPart(job: AskedFor, counted: Counted): Total {
  const { ledger, kinds } = counted;
  const tokens = tokensBesideAttachments(ledger) - textPart(job, counted).tokens;
  if (job.count !== 'request') return { tokens, low: tokens, high: tokens, basis: 'exact' };
  const rule = overheadRuleOf(job);
  const room = overheadRoom(rule, kinds, sum(ledger.otherTokens) + ledger.requestOverheadTokens);
  return { ...within(tokens, room), basis: overheadBasis(rule, kinds) };
}

/** What stands around messages, as it was counted. */
export function overheadRuleOf({
  family,
  model,
  overheadRule = overheadRuleFor(family, model),
}: Partial<Pick<CountJob, 'family' | 'model' | 'overheadRule'>>): OverheadRule {
  return overheadRule;
}

/** Kinds of tokens for which nobody has published a rule: they count as the text that they travel as. */
const UNPUBLISHED: readonly TokenKind[] = ['schemas', 'reasoning', 'other'];

function overheadBasis({ basis, toolSchemas }: OverheadRule, kinds: Int32Array): Total['basis'] {
  if (UNPUBLISHED.some((kind) => hasKind(kinds, kind))) return 'estimate';
  return hasKind(kinds, 'tools') ? weaker(basis, toolSchemas.basis) : basis;
}

/** How far `overheadTokens`, texts in them included, may be off in either direction. */
function overheadRoom(
  { margin, toolSchemas }: OverheadRule,
  kinds: Int32Array,
  overheadTokens: number,
): number {
  const toolTokens = tokensOfKind(kinds, 'tools');
  const room = (overheadTokens - toolTokens) * margin.fraction + margin.tokens;
  if (toolTokens === 0) return Math.ceil(room);
  return Math.ceil(room + toolTokens * toolSchemas.margin.fraction + toolSchemas.margin.tokens);
}

function within(tokens: number, room: number): Pick<Total, 'tokens' | 'low' | 'high'> {
  return { tokens, low: Math.min(tokens, Math.max(0, tokens - room)), high: tokens + room };
}

/** The request before and after a fit. */
export function fittedTotals(
  job: AskedFor,
  counted: Counted,
  decision: Fitted,
  accounting: Accounting,
): { readonly before: Total; readonly after: Total } {
  const { attachments = [] } = counted;
  const before = totalOf([textTotal(job, counted), attachmentTotal(attachments, accounting)]);
  if (decision.tokens.after === decision.tokens.before) return { before, after: before };
  const left = leftOf(attachments, attachmentsLeft(decision));
  return {
    before,
    after: totalOf([...partsLeft(job, counted, decision), attachmentTotal(left, accounting)]),
  };
}

/** Texts that are left, and what stands around them. Which kinds of text are left is not known here: they may be the least certain. */
function partsLeft(job: AskedFor, counted: Counted, decision: Fitted): readonly Total[] {
  const { ledger, kinds, estimate } = counted;
  const leftTokens = decision.tokens.after - sum(attachmentTokensLeft(decision, ledger.attachmentTokens));
  const texts = textPart(job, counted);
  const overhead = overheadPart(job, counted);
  const textTokens = Math.round((texts.tokens * leftTokens) / Math.max(1, texts.tokens + overhead.tokens));
  const { belowTokens, aboveTokens } = estimate
    ? estimateMarginsOfSome(estimate, estimate.countedTokens, leftTokens)
    : { belowTokens: 0, aboveTokens: 0 };
  const textsLeft: Total = {
    tokens: textTokens,
    low: Math.max(0, textTokens - belowTokens),
    high: textTokens + aboveTokens,
    basis: texts.basis,
  };
  const isEstimated = job.count === 'request';
  const othersLeft = ledger.otherTokens.reduce(
    (total, tokens, index) => total + (decision.changes[index]?.action === 'dropped' ? 0 : tokens),
    ledger.requestOverheadTokens,
  );
  const room = isEstimated ? overheadRoom(overheadRuleOf(job), kinds, othersLeft) : 0;
  return [textsLeft, { ...within(leftTokens - textTokens, room), basis: overhead.basis }];
}

function leftOf(figures: readonly AttachmentFigures[], isLeft: IsAttachmentLeft): AttachmentFigures[] {
  let position = 0;
  return figures.filter(({ message }, i) => {
    position = figures[i - 1]?.message === message ? position + 1 : 0;
    return isLeft({ index: message, position });
  });
}

/** Texts, and what stands around messages and request. */
export function tokensBesideAttachments({
  contentTokens,
  otherTokens,
  requestOverheadTokens,
}: Ledger): number {
  return sum(contentTokens) + sum(otherTokens) + requestOverheadTokens;
}

/** `kinds` has a message, a kind and its tokens, again and again (`CountResult`). */
function tokensOfKind(kinds: Int32Array, kind: TokenKind): number {
  const wanted = TOKEN_KINDS.indexOf(kind);
  let tokens = 0;
  for (let at = 0; at < kinds.length; at += 3)
    if (kinds[at + 1] === wanted) tokens += kinds[at + 2] as number;
  return tokens;
}

function hasKind(kinds: Int32Array, kind: TokenKind): boolean {
  const wanted = TOKEN_KINDS.indexOf(kind);
  for (let at = 0; at < kinds.length; at += 3) if (kinds[at + 1] === wanted) return true;
  return false;
}

function sum(column: Int32Array): number {
  return column.reduce((total, tokens) => total + tokens, 0);
}
