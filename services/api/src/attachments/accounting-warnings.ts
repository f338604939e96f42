import { type Accounting, type AttachmentFigures, gatedTokens } from '@preflight/accounting';
import type { CountResult, PreflightJob, PreflightResult, Warning } from '@preflight/contracts';
import { type Decision, type Ledger, startFit } from '@preflight/core';
import { attachmentTotal } from '../answers/totals.js';

/** Warnings about attachments that could not be seen, and that the provider would not take. */
export function mediaWarnings(
  { attachments = [] }: Pick<CountResult, 'attachments'>,
  accounting: Accounting,
): Warning[] {
  const warnings: Warning[] = [];
  const refused = attachments.filter(({ provider }) => provider.tokens === null);
  if (refused.length > 0) {
    const reasons = new Set(refused.map(({ provider }) => (provider.tokens === null ? provider.error : '')));
    warnings.push({
      code: 'attachment_refused',
      detail: `The provider would refuse attachments in messages ${places(refused)}: ${[...reasons].join(', ')}.`,
    });
  }
  const taken = attachments.filter(({ provider }) => provider.tokens !== null);
  const isGuessed = ({ provider }: AttachmentFigures) =>
    accounting === 'provider' && provider.tokens !== null && provider.basis === 'bound';
  const unseen = taken.filter(
    (each) => isGuessed(each) && (each.unreadable === undefined || each.unreadable === 'not_here'),
  );
  const unreadable = taken.filter(
    (each) => isRefusedByAll(each) || (isGuessed(each) && !OF_ANOTHER_WARNING.has(each.unreadable)),
  );
  if (unseen.length > 0)
    warnings.push({
      code: 'attachment_unseen',
      detail: `Attachments in messages ${places(unseen)} are not here; they count as what is usual, and at most as \`high\`. State what is known of them in \`attachments\`.`,
    });
  if (unreadable.length > 0)
    warnings.push({
      code: 'attachment_unreadable',
      detail: `Attachments in messages ${places(unreadable)} cannot be read (${[...new Set(unreadable.map(reasonOf))].join(', ')})${unreadable.some(isGuessed) ? '; what is not known of them counts as what is usual, and at most as `high`' : ''}. The provider may refuse them (\`/v1/check\`).`,
    });
  return warnings;
}

/** Of these others tell: `attachment_unseen` and `empty_attachment`. */
const OF_ANOTHER_WARNING: ReadonlySet<AttachmentFigures['unreadable']> = new Set([
  undefined,
  'not_here',
  'empty',
]);

/** Whatever it counts as, no provider takes it. */
function isRefusedByAll({ unreadable }: AttachmentFigures): boolean {
  return unreadable === 'no_base64' || unreadable === 'other_kind';
}

function reasonOf({ unreadable }: AttachmentFigures): string {
  if (unreadable === 'no_base64') return 'no_base64: what stands in the place of the file is no base64';
  if (unreadable === 'other_kind')
    return 'other_kind: the file begins like one of another kind than is stated';
  return String(unreadable);
}

function places(figures: readonly AttachmentFigures[]): string {
  return [...new Set(figures.map(({ message }) => message))].slice(0, 20).join(', ');
}

/** A warning with both figures, where a fit would come to something else by the other accounting. */
export function otherAccountingWarning(
  { fit, media }: PreflightJob,
  { ledger, decision, attachments = [] }: PreflightResult,
): Warning[] {
  if (media === undefined || attachments.length === 0) return [];
  const { accounting, gate } = media;
  const other: Accounting = accounting === 'payload' ? 'provider' : 'payload';
  const attachmentTokens = new Int32Array(ledger.attachmentTokens.length);
  for (const { message, payload, provider } of attachments) {
    const tokens = other === 'payload' ? payload.tokens : gatedTokens(provider, gate);
    attachmentTokens[message] = Math.min(1_000_000_000, (attachmentTokens[message] as number) + tokens);
  }
  const { step } = startFit({ ...ledger, attachmentTokens }, { ...fit, markerTokens: 1 });
  const otherFate = step.type === 'decided' ? fateOf(step.decision) : 'has to be shortened';
  const fate = fateOf(decision);
  if (fate === otherFate) return [];
  const texts = tokensWithoutAttachments(ledger);
  const { low, high, ...total } = attachmentTotal(attachments, 'provider');
  const payload = texts + attachmentTotal(attachments, 'payload').tokens;
  const provider = `${texts + total.tokens} tokens (${texts + low} to ${texts + high})`;
  const [this_, that] =
    accounting === 'payload' ? [`${payload} tokens`, provider] : [provider, `${payload} tokens`];
  return [
    {
      code: 'accounting_decides',
      detail: `By the accounting \`${accounting}\` the request has ${this_} and ${fate}; by \`${other}\` it has ${that} and ${otherFate}.`,
    },
  ];
}

function fateOf({ outcome }: Decision): string {
  if (outcome === 'refused') return 'cannot fit';
  if (outcome === 'fits') return 'fits';
  return outcome === 'output_reduced' ? 'fits with less output' : 'has to be shortened';
}

function tokensWithoutAttachments({ contentTokens, otherTokens, requestOverheadTokens }: Ledger): number {
  const sum = (column: Int32Array) => column.reduce((total, tokens) => total + tokens, 0);
  return sum(contentTokens) + sum(otherTokens) + requestOverheadTokens;
}
