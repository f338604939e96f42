import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../harness/runs.js';
import { type CaseShape, cases } from './conversations.js';
import { Fitter, type Outcome, withRequest } from './fit-case.js';
import { attachmentTokens, contentTokens } from './message-parts.js';

const fitter = new Fitter();

async function everyFitted(
  shape: CaseShape,
  law: (outcome: Fitted, encoding: string) => Promise<void> | void,
) {
  await fc.assert(
    fc.asyncProperty(cases(shape), async (one) => {
      const outcome = await fitter.fit(one);
      if (outcome.fitted) await law(outcome as Fitted, one.encoding);
    }),
    runs(400),
  );
}

type Fitted = Outcome & { fitted: NonNullable<Outcome['fitted']> };

test('content only: tiktoken counts in the returned conversation what `after` says', async () => {
  await everyFitted({ counts: ['content'] }, ({ body, fitted }, encoding) => {
    const { messages } = fitted.conversation;
    const recount = messages.reduce(
      (sum, message) => sum + contentTokens(message, encoding) + attachmentTokens(message, encoding, body),
      0,
    );
    expect(recount).toBe(fitted.tokens.after);
  });
});

test('whole requests: the returned conversation counts what `after` says', async () => {
  await everyFitted({ counts: ['request'] }, async ({ body, fitted }) => {
    const { strategy, max_output_tokens, min_output_tokens, buffer_tokens, context_window, ...counted } =
      body;
    delete counted.return;
    const recount = await fitter.count(withRequest(counted, fitted.conversation));
    expect(recount.tokens).toBe(fitted.tokens.after);
  });
});

test('what was cut or dropped is within the budget, and output always within the window', async () => {
  await everyFitted({}, ({ body, fitted }) => {
    const { tokens, outcome, max_output_tokens } = fitted;
    if (outcome === 'truncated' || outcome === 'turns_dropped') {
      expect(tokens.after).toBeLessThanOrEqual(tokens.budget);
      expect(max_output_tokens).toBeGreaterThanOrEqual(body.min_output_tokens as number);
    }
    expect(tokens.after + max_output_tokens).toBeLessThanOrEqual(body.context_window as number);
    expect(max_output_tokens).toBeLessThanOrEqual(body.max_output_tokens as number);
  });
});
