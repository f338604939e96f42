import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../harness/runs.js';
import { ADVICE, CHECKERS, type Rule } from '../checkers/index.js';
import { conversations, RENDERINGS } from './index.js';

/** What happens to tool histories on their way. Other rules are rarely broken by so few conversations. */
const OFTEN_BROKEN: readonly Rule[] = [
  'result_without_call',
  'call_without_result',
  'results_split',
  'reasoning_alone',
  'response_count',
  'call_turn_order',
  'missing_signature',
  'ill_formed_string',
  'empty_content',
  'unknown_role',
  'starts_with_user',
  'prefill',
];

describe.each(Object.keys(RENDERINGS))('conversations in %s', (format) => {
  const check = CHECKERS[format] as NonNullable<(typeof CHECKERS)[string]>;

  it('are taken by the provider as they are written', () => {
    fc.assert(
      fc.property(conversations(format), ({ request, model, disturbance }) => {
        if (disturbance !== undefined) return;
        expect(check(request, model).filter(({ rule }) => !ADVICE.has(rule))).toEqual([]);
      }),
      runs(300),
    );
  });
});

it('break what they are meant to break when they are disturbed', () => {
  const broken = new Set<Rule>();
  for (const [format, check] of Object.entries(CHECKERS))
    fc.assert(
      fc.property(conversations(format), ({ request, model, disturbance }) => {
        if (disturbance === undefined) return;
        for (const { rule } of check(request, model)) broken.add(rule);
      }),
      runs(400),
    );
  expect([...broken]).toEqual(expect.arrayContaining([...OFTEN_BROKEN]));
});
