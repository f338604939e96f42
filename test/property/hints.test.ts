import type { Problem } from '@preflight/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../harness/runs.js';
import { cases, type Plain } from './conversations.js';
import { Fitter } from './fit-case.js';

const fitter = new Fitter();

/** The options after what the sentence of a hint says was done; undefined where it is about the conversation. */
function follow({ code, detail }: NonNullable<Problem['hints']>[number]): Plain | undefined {
  const [first, second] = [...detail.matchAll(/-?\d+/g)].map(Number);
  if (detail.includes('are missing')) return undefined;
  if (detail.includes('together with a budget')) return { context_window: first, budget_tokens: second };
  if (code === 'raise_max_output_tokens') return { max_output_tokens: second };
  const option = /^(?:raise|lower)_(.*)$/.exec(code)?.[1];
  return option === undefined ? undefined : { [option]: first };
}

test('with the options that a hint names, the request is not refused again', async () => {
  const followed = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      cases({ strategies: ['truncate', 'drop_turns', 'trim'] }),
      fc.option(fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)),
      async (one, fraction) => {
        const { body: given, count } = await fitter.fit(one);
        const budget = fraction === null ? {} : { budget_tokens: Math.round(count.tokens * fraction) };
        const { body, problem } = await fitter.preflight({ ...given, ...budget });
        for (const hint of problem?.hints ?? []) {
          const options = follow(hint);
          if (options === undefined) continue;
          followed.add(hint.code);
          const again = await fitter.preflight({ ...body, ...options });
          expect([hint, again.problem]).toEqual([hint, undefined]);
        }
      },
    ),
    runs(400),
  );
  expect(followed.size).toBeGreaterThanOrEqual(5);
});

test('no budget is advised where the window cannot hold the history', async () => {
  const { problem } = await fitter.preflight({
    model: 'nope',
    encoding: 'o200k_base',
    messages: [{ role: 'user', content: 'hi' }],
    budget_tokens: 1,
    context_window: 5,
    min_output_tokens: 64,
  });
  const [raiseBoth] = problem?.hints ?? [];
  expect(raiseBoth).toMatchObject({
    code: 'raise_context_window',
    detail: expect.stringContaining('together with'),
  });
  expect(problem?.hints?.map(({ code }) => code)).toEqual(['raise_context_window', 'shorten_last_user']);
});
