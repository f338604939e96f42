import { Answerer } from '@preflight/api';
import { parseBody, writeJson } from '@preflight/body';
import type { PreflightResponse, Problem } from '@preflight/contracts';
import { Metrics } from '@preflight/runtime';
import { describe, expect, test } from 'vitest';
import { recordingLog } from '../harness/in-process.js';
import { workByMeasure } from '../torture/counted-work.js';

const messages = [{ role: 'user', content: '' }];

/** What is answered about a conversation of one message that has so many tokens. */
async function preflight(tokens: number, body: object): Promise<{ status: number; body: unknown }> {
  const answerer = new Answerer({
    work: workByMeasure(() => tokens),
    log: recordingLog().log,
    metrics: new Metrics(),
    maxMessages: 9,
    defaultContextWindowTokens: undefined,
  });
  const context = { instance: '/', requestId: 'r', signal: new AbortController().signal };
  const tree = parseBody(Buffer.from(JSON.stringify({ messages, count: 'content', ...body })));
  const answer = await answerer.preflight(tree, context);
  return { status: answer.status, body: JSON.parse(writeJson(answer.body).toString()) };
}

async function fitted(tokens: number, body: object): Promise<PreflightResponse> {
  const answer = await preflight(tokens, body);
  expect(answer.status).toBe(200);
  return answer.body as PreflightResponse;
}

async function refused(tokens: number, body: object): Promise<Problem> {
  const answer = await preflight(tokens, body);
  expect(answer.status).toBe(422);
  return answer.body as Problem;
}

/** What a refusal names as too small. */
async function refusedBy(tokens: number, body: object): Promise<string | undefined> {
  return (await refused(tokens, body)).limits?.refused_by;
}

describe('the window of the model decides', () => {
  test('shared by sum: the output is what is left', async () => {
    const { outcome, max_output_tokens, limits } = await fitted(120_000, { model: 'gpt-4o' });
    expect([outcome, max_output_tokens]).toEqual(['output_reduced', 7_700]);
    expect(limits).toEqual({
      window_type: 'shared_sum',
      max_input_tokens: null,
      max_output_tokens: 16_384,
      reasoning_tokens: 0,
      room_left: 7_700,
      overflow: [{ limit: 'context_window', tokens: 8_384 }],
    });
  });

  test('shared, and the answer ends at the window: what is left may be little', async () => {
    const { max_output_tokens, warnings } = await fitted(199_650, { model: 'claude-sonnet-4-5' });
    expect(max_output_tokens).toBe(50);
    expect(warnings.map(({ code }) => code)).toContain('output_below_minimum');
  });

  test('capped input: the whole output stays, and input has its limit', async () => {
    const { outcome, max_output_tokens, limits } = await fitted(271_700, { model: 'gpt-5' });
    expect([outcome, max_output_tokens]).toEqual(['fits', 128_000]);
    expect(limits).toMatchObject({ window_type: 'input_capped', room_left: null, overflow: [] });
    expect(await refused(271_701, { model: 'gpt-5', max_output_tokens: 1 })).toMatchObject({
      figures: { budget: 271_700, shortfall: 1 },
      limits: {
        refused_by: 'max_input_tokens',
        window_type: 'input_capped',
        max_input_tokens: 272_000,
        overflow: [{ limit: 'max_input_tokens', tokens: 1 }],
      },
    });
  });

  test('separate limits', async () => {
    const { outcome, max_output_tokens } = await fitted(1_048_276, { model: 'gemini-2.5-pro' });
    expect([outcome, max_output_tokens]).toEqual(['fits', 65_536]);
    expect(await refusedBy(1_048_277, { model: 'gemini-2.5-pro' })).toBe('max_input_tokens');
  });

  test('more output than the model writes is less, and is told', async () => {
    const { outcome, max_output_tokens, limits } = await fitted(10, {
      model: 'gpt-4o',
      max_output_tokens: 20_000,
    });
    expect([outcome, max_output_tokens]).toEqual(['output_reduced', 16_384]);
    expect(limits.overflow).toEqual([{ limit: 'max_output_tokens', tokens: 3_616 }]);
  });

  test('unless the request states a window of its own, which is shared', async () => {
    const { limits, max_output_tokens } = await fitted(10, {
      model: 'gpt-5',
      context_window: 300_000,
      max_output_tokens: 200_000,
    });
    expect(max_output_tokens).toBe(200_000);
    expect(limits).toMatchObject({ window_type: 'shared_sum', max_input_tokens: null });
    expect(await refusedBy(10, { context_window: 300 })).toBe('context_window');
  });

  test('or a budget', async () => {
    expect(await refusedBy(10, { budget_tokens: 5 })).toBe('budget_tokens');
    const { limits } = await fitted(5, { budget_tokens: 5 });
    expect(limits).toMatchObject({ window_type: null, room_left: null });
  });
});

describe('room for reasoning', () => {
  const thinking = { type: 'enabled', budget_tokens: 10_000 };
  const request = { messages, thinking, max_tokens: 16_000 };
  const claude = { model: 'claude-sonnet-4-0', format: 'anthropic-messages', messages: undefined };

  test('is kept as the request states it', async () => {
    const { limits, max_output_tokens } = await fitted(188_000, { ...claude, request });
    expect([limits.reasoning_tokens, max_output_tokens]).toEqual([10_000, 11_700]);
    expect((await refused(190_000, { ...claude, request })).figures?.min_output_tokens).toBe(10_064);
    const without = { messages, max_tokens: 16_000 };
    expect((await fitted(190_000, { ...claude, request: without })).max_output_tokens).toBe(9_700);
  });

  test('or as the options state it, who win', async () => {
    const { limits } = await fitted(10, { ...claude, request, reasoning_tokens: 500 });
    expect(limits.reasoning_tokens).toBe(500);
  });

  test('is warned of where it takes all of the output', async () => {
    const { warnings, limits } = await fitted(10, { ...claude, request: { ...request, max_tokens: 8_000 } });
    expect(warnings.map(({ code }) => code)).toContain('reasoning_exceeds_output');
    expect(limits.suggested_max_output_tokens).toBe(10_064);
  });

  test('is warned of where no output of the model is enough, and nothing is suggested', async () => {
    const options = { model: 'gpt-4o', visible_output_tokens: 1_000_000 };
    const codesOf = async (reasoning_tokens: number) => {
      const { warnings, limits } = await fitted(10, { ...options, reasoning_tokens });
      expect(limits.suggested_max_output_tokens).toBeUndefined();
      return warnings.map(({ code }) => code);
    };
    expect(await codesOf(20_000)).toEqual(['reasoning_exceeds_output']);
    expect(await codesOf(100)).toEqual(['reasoning_in_output']);
  });

  test('is warned of where an answer is wanted of a model that always reasons', async () => {
    const wanted = { max_output_tokens: 200, visible_output_tokens: 200 };
    const { warnings, limits } = await fitted(10, { model: 'o3-mini', ...wanted });
    expect(warnings.map(({ code }) => code)).toContain('reasoning_in_output');
    expect(limits.suggested_max_output_tokens).toBe(25_200);
    const plain = await fitted(10, { model: 'gpt-4o', ...wanted });
    expect(plain.warnings).toEqual([]);
    expect(plain.limits.suggested_max_output_tokens).toBeUndefined();
  });
});
