import type { MediaRule } from './media/media-rule.js';
import { MEDIA_RULES } from './media/rules/index.js';
import { OVERHEAD_RULES, type OverheadRule } from './overhead-rules.js';
import { ALL_TEXT_RATIO_RULES, type TextRatioRule } from './text-ratio-rules.js';

/** All that is known of how providers count, as dated data. */
export interface AccountingRules {
  /** What they make of attachments. */
  readonly media: readonly MediaRule[];
  /** What stands around messages. */
  readonly overhead: readonly OverheadRule[];
  /** How texts are estimated whose vocabulary is not at hand. */
  readonly textRatios: readonly TextRatioRule[];
}

/** The rules that are shipped. */
export const ACCOUNTING_RULES: AccountingRules = {
  media: MEDIA_RULES,
  overhead: OVERHEAD_RULES,
  textRatios: ALL_TEXT_RATIO_RULES,
};
