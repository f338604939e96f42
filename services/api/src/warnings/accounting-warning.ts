import { type Accounting, gatedTokens } from '@preflight/accounting';
import type { PreflightJob, PreflightResult, Warning } from '@preflight/contracts';
import { type Decision, startFit } from '@preflight/core';
import { tokensBesideAttachments } from '../answers/totals.js';
import { attachmentTotal } from '../attachments/attachment-totals.js';

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
  const texts = tokensBesideAttachments(ledger);
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
