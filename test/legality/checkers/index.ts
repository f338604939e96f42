import { checkAiSdk } from './ai-sdk.js';
import { checkAnthropicMessages } from './anthropic-messages.js';
import { checkBedrockConverse } from './bedrock-converse.js';
import { checkGemini } from './gemini.js';
import { checkLangchain } from './langchain.js';
import { checkLangroid } from './langroid.js';
import { checkOpenaiChat } from './openai-chat.js';
import { checkOpenaiResponses } from './openai-responses.js';
import type { Check } from './violation.js';

export { either, isPlain, listOf, type Plain, placed } from './plain.js';
export { ADVICE, type Check, RULES, type Rule, type Violation } from './violation.js';

/**
 * A second legality checker, written from formats.md and sharing no code with the product: whether a provider would
 * take a request. The judge of what strategies give back, and of the product's own check.
 */
export const CHECKERS: Readonly<Record<string, Check>> = {
  'openai-chat': checkOpenaiChat,
  'openai-responses': checkOpenaiResponses,
  'anthropic-messages': checkAnthropicMessages,
  gemini: checkGemini,
  'bedrock-converse': checkBedrockConverse,
  'ai-sdk': checkAiSdk,
  langchain: checkLangchain,
  langroid: checkLangroid,
};
