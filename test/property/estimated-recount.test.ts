import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../harness/runs.js';
import { cases } from './conversations.js';
import { Fitter, withRequest } from './fit-case.js';

// Where a model's own vocabulary is not at hand, all figures are estimates, and the same rules hold among them.

const fitter = new Fitter();
const models = fc.constantFrom(
  'claude-opus-4-7',
  'claude-sonnet-4-5',
  'gemini-2.5-pro',
  'qwen3-4b-instruct-2507',
);

test('the returned conversation is estimated as `after` says, and is within the budget', async () => {
  await fc.assert(
    fc.asyncProperty(cases({ counts: ['content', 'request'] }), models, async (one, model) => {
      const { encoding, ...counted } = one.counted;
      const { body, fitted, count } = await fitter.fit({ ...one, counted: { ...counted, model } });
      expect(count).toMatchObject({ exact: false, text_estimate: { basis: 'estimate' } });
      if (!fitted) return;
      const { tokens, outcome, max_output_tokens, text_estimate } = fitted;
      if (outcome === 'truncated' || outcome === 'turns_dropped')
        expect(tokens.after).toBeLessThanOrEqual(tokens.budget);
      expect(tokens.after + max_output_tokens).toBeLessThanOrEqual(body.context_window as number);
      expect(text_estimate).toEqual(count.text_estimate);
      const recount = await fitter.count(withRequest({ ...counted, model }, fitted.conversation));
      expect(recount.tokens).toBe(tokens.after);
    }),
    runs(200),
  );
});
