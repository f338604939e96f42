import { expect, test } from 'vitest';
import { refusesPrefill } from './prefill-rule.js';

test.each([
  ['claude-opus-4-6', true],
  ['claude-sonnet-4.6', true],
  ['anthropic/claude-opus-4-6-20260101', true],
  ['claude-opus-5', true],
  ['claude-fable-5-1', true],
  ['claude-sonnet-4-5', false],
  ['claude-opus-4-20250514', false],
  ['claude-3-5-haiku-latest', false],
  ['gpt-5', false],
  [undefined, false],
])('%s goes on with no answer: %j', (model, refuses) => {
  expect(refusesPrefill(model)).toBe(refuses);
});
