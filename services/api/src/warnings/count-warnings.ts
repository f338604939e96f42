import type { Accounting } from '@preflight/accounting';
import type { CountResult, Warning } from '@preflight/contracts';
import { mediaWarnings } from './media-warnings.js';

/** Warnings that follow from what was counted. */
export function countWarnings(result: CountResult, accounting: Accounting): Warning[] {
  const warnings: Warning[] = [];
  if (result.ledger.attachmentTokens.some((tokens) => tokens > 0))
    warnings.push({ code: 'attachment_estimate', detail: ATTACHMENT_ESTIMATES[accounting] });
  warnings.push(...mediaWarnings(result, accounting));
  if (result.emptyAttachments.length > 0)
    warnings.push({
      code: 'empty_attachment',
      detail: `Attachments without bytes, or with a URL that is not sent, in messages ${result.emptyAttachments.slice(0, 20).join(', ')}; counted as they go over the wire.`,
    });
  return warnings;
}

/** Once in every answer in which attachments count (langroid-overflow §7). */
const ATTACHMENT_ESTIMATES: Readonly<Record<Accounting, string>> = {
  payload:
    'Attachments are counted as the text that goes over the wire; providers price media by pixels, pages and seconds.',
  provider:
    'Attachments are counted by what is known of the rules of the provider; `attachments` says how well each figure is known.',
};
