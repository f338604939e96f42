import { TEXT_KINDS } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { TEXT_RATIO_RULES, textEstimateFor } from './text-ratio-rules.js';

describe('the rule of a model', () => {
  test.each([
    ['claude-3', 'claude-3-haiku'],
    ['claude-3', 'claude-3-5-sonnet-20241022'],
    ['claude-3', 'claude-3.7-sonnet'],
    ['claude-3', 'claude-2.1'],
    ['claude-3', 'claude-instant-1'],
    ['claude-3', 'claude-opus-4-20250514'],
    ['claude-3', 'claude-opus-4-1'],
    ['claude-3', 'claude-opus-4-6'],
    ['claude-3', 'claude-sonnet-4-6'],
    ['claude-3', 'claude-haiku-4-5-20251001'],
    ['claude-3', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-4.7', 'claude-opus-4-7'],
    ['claude-4.7', 'anthropic/claude-opus-4.8'],
    ['claude-4.7', 'claude-opus-5-5'],
    ['claude-4.7', 'claude-sonnet-5'],
    ['claude-4.7', 'claude-haiku-5-5'],
    ['claude-4.7', 'claude-fable-5-1'],
    ['claude-4.7', 'claude-of-tomorrow'],
    ['gemini', 'gemini-2.5-pro'],
    ['gemini', 'models/gemini-3-flash'],
    ['llama-3', 'meta-llama/Llama-3.3-70B-Instruct'],
    ['qwen-3', 'qwen3-235b-a22b-instruct-2507'],
    ['deepseek-3', 'deepseek-v3.1'],
    ['mistral-tekken', 'mistral-nemo'],
    ['gpt-6', 'gpt-6.1-sol'],
    ['unknown', 'new-1'],
    ['unknown', 'llama-4-scout'],
    ['unknown', undefined],
  ])('%s: %s', (rule, model) => {
    expect(textEstimateFor(model).rule).toBe(rule);
  });
});

describe.each(TEXT_RATIO_RULES)('$id', ({ ratios, source, date }) => {
  test('is dated, has a source, and bounds around every ratio', () => {
    expect(source).not.toBe('');
    expect(date).toMatch(/^\d{4}-\d{2}$/);
    for (const kind of TEXT_KINDS) {
      const { tokens, low, high } = ratios[kind];
      expect(low).toBeGreaterThan(0.5);
      expect(low).toBeLessThan(tokens);
      expect(high).toBeGreaterThan(tokens);
    }
  });
});
