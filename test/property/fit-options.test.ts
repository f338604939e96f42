import type { FitStrategy } from '@preflight/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../harness/runs.js';
import { cases, type Plain } from './conversations.js';
import { Fitter, withRequest } from './fit-case.js';

const fitter = new Fitter();

const side = fc.constantFrom('head', 'tail', 'middle');

/** Options beside the strategies. */
const options = fc.record(
  {
    truncate: fc.record(
      { max_min: fc.boolean(), cut: fc.record({ user: side, assistant: side, tool: side }) },
      { requiredKeys: [] },
    ),
    trim: fc.record({ shorten: fc.boolean(), repair: fc.boolean() }),
    attachments: fc.constantFrom('keep', 'elide_oldest'),
    summary_tokens: fc.constantFrom(0, 20),
  },
  { requiredKeys: [] },
);

type Options = typeof options extends fc.Arbitrary<infer Value> ? Value : never;

/** Options that one of the strategies looks at: others are refused. */
function usedBy(strategies: readonly FitStrategy[], { truncate, trim, ...others }: Options): Plain {
  const truncates = strategies.includes('truncate');
  const trims = strategies.includes('trim');
  const { cut, max_min } = truncate ?? {};
  const used = {
    ...(truncates && max_min !== undefined && { max_min }),
    ...((truncates || trims) && cut && { cut }),
  };
  return {
    ...others,
    ...(trims && trim && { trim }),
    ...(Object.keys(used).length > 0 && { truncate: used }),
  };
}

test('with every option, the result counts what the answer says, and is within the budget', async () => {
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(cases(), options, fc.integer({ min: 0, max: 100 }), async (one, more, percent) => {
      const { tokens } = await fitter.count(one.counted);
      const budget_tokens = Math.round((tokens * percent) / 100);
      const body = {
        ...one.counted,
        ...usedBy(one.strategy, more),
        strategy: one.strategy,
        budget_tokens,
        return: 'conversation',
      };
      const { fitted, problem } = await fitter.preflight(body);
      if (fitted === undefined) {
        expect(problem?.status).toBe(422);
        return;
      }
      const recount = await fitter.count(withRequest(one.counted, fitted.conversation));
      expect(recount.tokens).toBe(fitted.tokens.after);
      if (fitted.edits.length === 0) return;
      changed += 1;
      const reserved = fitted.outcome === 'trimmed' ? 0 : Number(more.summary_tokens ?? 0);
      expect(recount.tokens).toBeLessThanOrEqual(budget_tokens - reserved);
    }),
    runs(300),
  );
  expect(changed).toBeGreaterThan(50);
});
