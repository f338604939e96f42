import { anthropicCountTokens } from './anthropic-count-tokens.js';
import { geminiCountTokens } from './gemini-count-tokens.js';
import { litellmTokenCounter } from './litellm-token-counter.js';
import { chatInputTokens, responsesInputTokens } from './openai-input-tokens.js';
import { tokenize } from './tokenize.js';
import type { VendorCount } from './vendor-count.js';

/** Every count call of a vendor that is served; adding one is adding its file here. */
export const VENDOR_COUNTS: readonly VendorCount[] = [
  anthropicCountTokens,
  responsesInputTokens,
  geminiCountTokens,
  litellmTokenCounter,
  tokenize,
  chatInputTokens,
];
