export { derivedFilename } from './attachment-name.js';
export { canonicalJson } from './canonical-json.js';
export { messageOverhead, requestOverhead } from './chat-overhead.js';
export { isEmptyAttachment } from './empty-attachment.js';
export { type Overhead, TOKEN_KINDS, type TokenKind } from './overhead.js';
export {
  type Basis,
  type Margin,
  OVERHEAD_RULES,
  type OverheadRule,
  overheadRuleFor,
  RULES_VERSION,
} from './overhead-rules.js';
export { attachmentCountable } from './payload.js';
