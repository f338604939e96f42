import { type AttachmentFigures, type Figure, RULES_VERSION } from '@preflight/accounting';
import type { TextEstimate } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import type { LedgerPlan } from '../ledger-plan.js';

/** Every attachment by both accountings, once the tokens of all countables are known. */
export async function attachmentFigures(
  { attachments, estimate }: LedgerPlan,
  tokens: Int32Array,
): Promise<AttachmentFigures[] | undefined> {
  if (attachments === undefined) return undefined;
  const figures: AttachmentFigures[] = [];
  await new Turn().each(attachments, ({ message, kind, payload, provider, unreadable }) => {
    const asText =
      typeof payload === 'number' ? countedPayload(tokens[payload] as number, estimate) : payload;
    figures.push({
      ...{ message, kind, payload: asText, provider: provider ?? { ...asText, basis: 'estimate' } },
      ...(unreadable && { unreadable }),
    });
  });
  return figures;
}

/** As exact as texts are counted. */
function countedPayload(tokens: number, estimate: TextEstimate | undefined): Figure {
  if (estimate === undefined)
    return { tokens, low: tokens, high: tokens, basis: 'exact', rule: 'payload', date: RULES_VERSION };
  const { low, high, tokens: usual } = estimate.ratios.base64;
  return {
    tokens,
    low: Math.floor((tokens * low) / usual),
    high: Math.ceil((tokens * high) / usual),
    basis: 'estimate',
    rule: estimate.rule,
    date: estimate.date,
  };
}
