export { ACCOUNTING_RULES, type AccountingRules } from './accounting-rules.js';
export { derivedFilename } from './attachment-name.js';
export { type ActualUsage, calibrated, calibrationSample, MIN_CALIBRATION_SAMPLES } from './calibration.js';
export { canonicalJson } from './canonical-json.js';
export { messageOverhead, requestOverhead } from './chat-overhead.js';
export { isEmptyAttachment } from './empty-attachment.js';
export {
  boundsOf,
  FIGURE_BASES,
  type Figure,
  type FigureBasis,
  type Margin,
  type Total,
  totalOf,
  weaker,
} from './figure.js';
export { conditionsOfDetail, type MediaConditions } from './media/conditions.js';
export type { MediaError, MediaFigure, RefusedFigure } from './media/media-figure.js';
export {
  ACCOUNTINGS,
  type Accounting,
  type AttachmentFigures,
  GATES,
  type Gate,
  gatedTokens,
  type MediaPricing,
  type StatedMedia,
} from './media/media-pricing.js';
export type { MediaRule } from './media/media-rule.js';
export { plainModelName } from './media/model-pattern.js';
export { roughPayload } from './media/payload-figure.js';
export { providerFigure } from './media/provider-figure.js';
export { withMediaChanges } from './media/rule-changes.js';
export { MEDIA_RULES } from './media/rules/index.js';
export { type HeldRule, MEDIA_KINDS, type ModelRules, rulesForModel } from './media/rules-for-model.js';
export { type Overhead, TOKEN_KINDS, type TokenKind } from './overhead.js';
export { withOverheadChanges } from './overhead-changes.js';
export {
  type Basis,
  OVERHEAD_RULES,
  type OverheadRule,
  overheadRuleFor,
  RULES_VERSION,
} from './overhead-rules.js';
export { attachmentCountable } from './payload.js';
export { type RuleChange, RuleChangeError } from './rule-changes.js';
export { withTextRatioChanges } from './text-ratio-changes.js';
export {
  TEXT_RATIO_RULES,
  type TextRatioRule,
  textEstimateFor,
  UNKNOWN_TEXT_RATIO_RULE,
} from './text-ratio-rules.js';
