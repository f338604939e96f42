import { expect, test } from 'vitest';
import { reasoningBudget } from './reasoning-budget.js';

test.each([
  [{ thinking: { type: 'enabled', budget_tokens: 4096 } }, 4096],
  [{ reasoning: { max_tokens: 2000 } }, 2000],
  [{ generationConfig: { thinkingConfig: { thinkingBudget: 512 } } }, 512],
  [{ generation_config: { thinking_config: { thinking_budget: 512 } } }, 512],
  [{ additionalModelRequestFields: { thinking: { budget_tokens: 1024 } } }, 1024],
  [{ providerOptions: { anthropic: { thinking: { budgetTokens: 12_000 } } } }, 12_000],
  [{ generationConfig: { thinkingConfig: { thinkingBudget: -1 } } }, undefined],
  [{ thinking: { type: 'adaptive' } }, undefined],
  [{ reasoning: { effort: 'high' } }, undefined],
  [{ thinking: { budget_tokens: 'many' } }, undefined],
  [{ thinking: null, reasoning: [] }, undefined],
  [{}, undefined],
])('%j states %j', (request, tokens) => {
  expect(reasoningBudget(request)).toBe(tokens);
});
