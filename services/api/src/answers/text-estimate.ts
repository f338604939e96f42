import type { CountResult, TextEstimateInAnswer } from '@preflight/contracts';
import { TEXT_KINDS } from '@preflight/core';
import { textPart, tokensBesideAttachments } from './totals.js';

/** How texts were estimated, as answers tell it; nothing where they were counted. */
export function textEstimateIn({ estimate, ledger }: Pick<CountResult, 'estimate' | 'ledger'>): {
  text_estimate?: TextEstimateInAnswer;
} {
  if (estimate === undefined) return {};
  const { rule, date, samples, countedTokens } = estimate;
  const { tokens, low, high } = textPart({ isExact: false }, { ledger, estimate });
  const counted = TEXT_KINDS.map((kind, i) => [kind, countedTokens[i] ?? 0] as const).filter(
    ([, count]) => count !== 0,
  );
  return {
    text_estimate: {
      ...{ tokens, low, high },
      basis: 'estimate',
      rule,
      rule_date: date,
      ...(samples === undefined ? {} : { samples }),
      counted: Object.fromEntries(counted),
      other_tokens: tokensBesideAttachments(ledger) - tokens,
    },
  };
}
