import { PreflightClient } from '@preflight/client';
import type { CalibrationsResponse, CountResponse, Problem } from '@preflight/contracts';
import { calibrationResponse, calibrationsResponse } from '@preflight/contracts';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { get, post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';

const { url } = await startApi();
const client = new PreflightClient({ baseUrl: url });

const text = 'The harbour opened late in the morning, because the fog would not lift. '.repeat(20);
const requestOf = (model: string) => ({
  model,
  messages: [{ role: 'user', content: text }],
  format: 'openai-chat',
});

async function counted(
  model: string,
): Promise<CountResponse & Required<Pick<CountResponse, 'text_estimate'>>> {
  const { body } = await post(url, '/v1/count', requestOf(model));
  return body as never;
}

describe('/v1/calibrations', () => {
  test('what a provider charged decides later estimates, of the model and its snapshots alone, until it is forgotten', async () => {
    const { text_estimate, tokens } = await counted('claude-opus-4-7');
    expect(text_estimate.rule).toBe('claude-4.7');
    const charged = text_estimate.other_tokens + Math.round(text_estimate.tokens * 1.12);
    for (let i = 1; i <= 5; i++) {
      const usage = { model: 'claude-opus-4-7', actual_input_tokens: charged, text_estimate };
      const { status, body } = await post(url, '/v1/calibrations', usage);
      expect(status).toBe(200);
      expect(Value.Check(calibrationResponse, body)).toBe(true);
      expect(body).toMatchObject({ samples: i, taken: true, rule: i < 5 ? 'claude-4.7' : 'calibrated' });
    }
    const after = await counted('anthropic/claude-opus-4-7');
    expect(after.text_estimate).toMatchObject({ rule: 'calibrated', samples: 5, basis: 'estimate' });
    expect(Math.abs((after.tokens as number) - charged)).toBeLessThanOrEqual(2);
    expect(after.text_estimate.low).toBeLessThan(after.text_estimate.tokens);
    expect(after.text_estimate.high).toBeGreaterThan(after.text_estimate.tokens);
    expect((await counted('claude-opus-4-8')).text_estimate.rule).toBe('claude-4.7');

    const { body } = await get(url, '/v1/calibrations');
    expect(Value.Check(calibrationsResponse, body)).toBe(true);
    expect((body as CalibrationsResponse).calibrations.map(({ model }) => model)).toEqual([
      'claude-opus-4-7',
    ]);

    const forgotten = await fetch(`${url}/v1/calibrations/anthropic/claude-opus-4-7`, { method: 'DELETE' });
    expect(forgotten.status).toBe(204);
    expect((await counted('claude-opus-4-7')).tokens).toBe(tokens);
  });

  test('a call without a body may name a type of bodies', async () => {
    const headers = { 'content-type': 'application/json' };
    const forgotten = await fetch(`${url}/v1/calibrations/new-2`, { method: 'DELETE', headers });
    expect(forgotten.status).toBe(204);
    expect((await fetch(`${url}/v1/calibrations`, { headers })).status).toBe(200);
  });

  test('a fit goes by what was learned, as its recount does', async () => {
    const messages = Array.from({ length: 6 }, (_, i) => ({
      role: i % 2 ? 'assistant' : 'user',
      content: text,
    }));
    messages.push({ role: 'user', content: 'And now?' });
    const body = { model: 'learned-1', messages, context_window: 1500, max_output_tokens: 100 };
    const { text_estimate } = await counted('learned-1');
    const charged = text_estimate.other_tokens + text_estimate.tokens * 2;
    for (let i = 0; i < 6; i++)
      await client.calibrate({ model: 'learned-1', actual_input_tokens: charged, text_estimate });
    const { answer, request } = await client.preflight(body);
    expect(answer.text_estimate?.rule).toBe('calibrated');
    expect(answer.tokens.after).toBeLessThanOrEqual(answer.tokens.budget);
    const recount = await client.count({ model: 'learned-1', ...request });
    expect(recount.tokens).toBe(answer.tokens.after);
    const learned = (await client.calibrations()).calibrations.find(({ model }) => model === 'learned-1');
    expect(learned?.ratios.prose?.tokens).toBeCloseTo(2, 1);
    await client.resetCalibrations();
    expect(await client.calibrations()).toEqual({ calibrations: [] });
  });

  test('a sample that teaches nothing is told so, and not kept', async () => {
    const text_estimate = { counted: { prose: 1000 }, other_tokens: 5 };
    const far = { model: 'new-1', actual_input_tokens: 90_000, text_estimate };
    expect((await post(url, '/v1/calibrations', far)).body).toMatchObject({
      taken: false,
      reason: 'implausible',
      samples: 0,
    });
    const known = { ...far, attachment_tokens: 89_000 };
    expect((await post(url, '/v1/calibrations', known)).body).toMatchObject({ taken: true, samples: 1 });
    const small = {
      model: 'new-1',
      actual_input_tokens: 9,
      text_estimate: { counted: { prose: 9 }, other_tokens: 0 },
    };
    expect((await post(url, '/v1/calibrations', small)).body).toMatchObject({
      taken: false,
      reason: 'too_small',
      detail: expect.stringContaining('9 counted tokens; fewer than 100'),
    });
    expect((await post(url, '/v1/calibrations', { ...small, actual_input_tokens: 1e9 })).body).toMatchObject({
      taken: false,
      reason: 'implausible',
      detail: expect.stringContaining('1000000000 tokens where 9 were expected'),
    });
  });

  const good = {
    model: 'new-1',
    actual_input_tokens: 1500,
    text_estimate: { counted: { prose: 1000 }, other_tokens: 5 },
  };
  test.each<[string, object, string, string]>([
    ['a model that is counted exactly', { ...good, model: 'gpt-4o' }, 'invalid_request', '/model'],
    ['no name', { ...good, model: '' }, 'invalid_request', '/model'],
    ['a name that is too long', { ...good, model: 'x'.repeat(100_000) }, 'invalid_request', '/model'],
    ['a name with a control character', { ...good, model: 'x\u0000' }, 'invalid_request', '/model'],
    ['a name with a lone surrogate', { ...good, model: 'x\ud800' }, 'invalid_request', '/model'],
    ['no tokens', { ...good, actual_input_tokens: 0 }, 'invalid_request', '/actual_input_tokens'],
    ['a part of a token', { ...good, actual_input_tokens: 1.5 }, 'invalid_request', '/actual_input_tokens'],
    [
      'fewer than no tokens',
      { ...good, text_estimate: { counted: { prose: -1 }, other_tokens: 5 } },
      'invalid_request',
      '/text_estimate/counted/prose',
    ],
    [
      'an unknown kind of text',
      { ...good, text_estimate: { counted: { verse: 1000 }, other_tokens: 5 } },
      'invalid_request',
      '/text_estimate/counted/verse',
    ],
    [
      'a text for an estimate',
      { ...good, text_estimate: 'long '.repeat(10_000) },
      'invalid_request',
      '/text_estimate',
    ],
    ['an unknown option', { ...good, usage: 5 }, 'unknown_option', '/usage'],
  ])('%s is refused with its place', async (_, body, code, pointer) => {
    const { status, body: problem } = await post(url, '/v1/calibrations', body);
    expect([status, (problem as Problem).code]).toEqual([400, code]);
    expect((problem as Problem).errors?.[0]?.pointer).toBe(pointer);
  });

  test('an unknown option is not taken for a field of a conversation, which there is none of', async () => {
    const { body } = await post(url, '/v1/calibrations', { ...good, usage: 5 });
    expect((body as Problem).detail).toBe('Not an option of this call: /usage.');
  });

  test.each([[], 'text', null, 7])('%j is no sample', async (body) => {
    expect((await post(url, '/v1/calibrations', body as never)).status).toBe(400);
  });
});
