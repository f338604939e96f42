import type { EstimatedTexts } from '@preflight/contracts';
import { estimatedTokens, TEXT_KINDS, type TextKind } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import { LEDGER_COLUMNS, type LedgerPlan } from './ledger-plan.js';

/**
 * The tokens of all countables as a model is estimated to make them, and what of texts was counted by kind; what was
 * counted itself where the plan has no estimate. Stores keep counts alone, so that ratios may change.
 */
export async function estimateTexts(
  { estimate, textKinds, columns, signs }: LedgerPlan,
  counted: Int32Array,
): Promise<{ tokens: Int32Array; estimate: EstimatedTexts | undefined }> {
  if (estimate === undefined || textKinds === undefined) return { tokens: counted, estimate: undefined };
  const tokens = new Int32Array(counted.length);
  const countedTokens: number[] = TEXT_KINDS.map(() => 0);
  let textTokens = 0;
  await new Turn().each(counted, (count, i) => {
    const at = (textKinds[i] as number) - 1;
    const estimated = at < 0 ? count : estimatedTokens(estimate, TEXT_KINDS[at] as TextKind, count);
    tokens[i] = estimated;
    if (at < 0 || columns[i] === ATTACHMENTS) return;
    textTokens += (signs[i] as number) * estimated;
    countedTokens[at] = (countedTokens[at] as number) + (signs[i] as number) * count;
  });
  return { tokens, estimate: { ...estimate, tokens: textTokens, countedTokens } };
}

const ATTACHMENTS = LEDGER_COLUMNS.indexOf('attachmentTokens');
