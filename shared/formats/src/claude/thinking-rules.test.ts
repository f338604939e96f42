import { expect, test } from 'vitest';
import { thinkingRuleOf } from './thinking-rules.js';

test.each([
  ['claude-fable-5-1', true, true],
  ['anthropic.claude-fable-5-1-v1:0', true, true],
  ['us.anthropic.claude-fable-5-1-20260801-v1:0', true, true],
  ['claude-fable-5', false, true],
  ['claude-fable-5-20260301', false, true],
  ['claude-mythos-6', true, true],
  ['claude-opus-4-6', false, true],
  ['claude-opus-4-5-20251101', false, true],
  ['claude-opus-4-1', false, false],
  ['claude-opus-4-20250514', false, false],
  ['claude-sonnet-4-5', false, false],
  ['claude-sonnet-4-6', false, true],
  ['claude-haiku-4-5', false, false],
  ['claude-haiku-5-5', false, true],
  ['claude-3-7-sonnet-latest', false, false],
  ['Claude-Sonnet-5', false, true],
  ['gpt-4o', false, true],
  [undefined, false, true],
])('%s: bound %s, earlier turns counted %s', (model, isBoundToPrefix, areEarlierTurnsCounted) => {
  expect(thinkingRuleOf(model)).toMatchObject({ isBoundToPrefix, areEarlierTurnsCounted });
});
