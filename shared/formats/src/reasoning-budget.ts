import { isObject, type Json, type JsonObject } from '@preflight/core';

/** Where providers and their SDKs take a budget for reasoning, in tokens. Efforts in words are no budget. */
const PLACES: readonly (readonly string[])[] = [
  // Anthropic, and who passes its field on.
  ['thinking', 'budget_tokens'],
  // OpenRouter.
  ['reasoning', 'max_tokens'],
  ['generationConfig', 'thinkingConfig', 'thinkingBudget'],
  ['generation_config', 'thinking_config', 'thinking_budget'],
  ['config', 'thinkingConfig', 'thinkingBudget'],
  // Bedrock, for Claude.
  ['additionalModelRequestFields', 'thinking', 'budget_tokens'],
  ['additionalModelRequestFields', 'reasoning_config', 'budget_tokens'],
  // The AI SDK.
  ['providerOptions', 'anthropic', 'thinking', 'budgetTokens'],
  ['providerOptions', 'google', 'thinkingConfig', 'thinkingBudget'],
  ['providerOptions', 'bedrock', 'reasoningConfig', 'budgetTokens'],
];

/** Tokens of output that a request lets the model reason with, if it states them. */
export function reasoningBudget(request: JsonObject): number | undefined {
  for (const path of PLACES) {
    const found = path.reduce<Json | undefined>(
      (value, name) => (value !== undefined && isObject(value) ? value[name] : undefined),
      request,
    );
    // Gemini writes -1 for as much as it likes.
    if (typeof found === 'number' && Number.isSafeInteger(found) && found > 0) return found;
  }
  return undefined;
}
