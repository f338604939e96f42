import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelResponse, Problem } from '@preflight/contracts';
import { modelByNameResponse } from '@preflight/contracts';
import { MODEL_CATALOG } from '@preflight/models';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { get, post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';
import { tempDir } from '../harness/temp-dir.js';

const api = await startApi();

async function listed(query: string): Promise<ModelResponse[]> {
  const { status, body } = await get(api.url, `/v1/models?${query}`);
  expect(status).toBe(200);
  return (body as { models: ModelResponse[] }).models;
}

describe('/v1/models', () => {
  test('lists the whole catalog', async () => {
    expect(await listed('')).toHaveLength(MODEL_CATALOG.list().length);
  });

  test.each<[string, (model: ModelResponse) => boolean]>([
    ['provider=anthropic', ({ provider }) => provider === 'anthropic'],
    ['family=gpt-4o', ({ family }) => family === 'gpt-4o'],
    ['window_type=separate', ({ window_type }) => window_type === 'separate'],
    ['min_context_window=1000000', ({ context_window }) => context_window >= 1_000_000],
    ['exact_encoding=true', ({ exact_encoding }) => exact_encoding],
    ['capability=audio', ({ capabilities }) => capabilities.includes('audio')],
    ['q=Mini', ({ id }) => id.includes('mini')],
    [
      'provider=openai&q=5.4&capability=reasoning',
      ({ provider, id }) => provider === 'openai' && id.includes('5.4'),
    ],
  ])('%s', async (query, isWanted) => {
    const models = await listed(query);
    expect(models.length).toBeGreaterThan(0);
    const all = await listed('');
    expect(models).toEqual(all.filter(isWanted));
  });

  test('answers with none where none is left', async () => {
    expect(await listed('provider=anthropic&capability=video')).toEqual([]);
  });

  test.each([
    ['vision=true', 'unknown_option', '/vision'],
    ['capability=vision', 'invalid_request', '/capability'],
    ['min_context_window=many', 'invalid_request', '/min_context_window'],
    ['window_type=open', 'invalid_request', '/window_type'],
    ['q=a&q=b', 'invalid_request', '/q'],
    ['__proto__=1', 'unknown_option', '/__proto__'],
  ])('%s is refused with its place', async (query, code, pointer) => {
    const { status, body } = await get(api.url, `/v1/models?${query}`);
    expect([status, (body as Problem).code]).toEqual([400, code]);
    expect((body as Problem).errors?.[0]?.pointer).toBe(pointer);
  });
});

describe('/v1/models/{name}', () => {
  test.each([
    ['gpt-4o', 'gpt-4o', 'exact'],
    ['openrouter/anthropic/claude-3.5-sonnet', 'claude-3-5-sonnet', 'vendor_prefix'],
    ['bedrock%2Fus.anthropic.claude-sonnet-4-5-20250929-v1%3A0', 'claude-sonnet-4-5', 'vendor_prefix'],
    ['ft:gpt-4o-mini-2024-07-18:acme::abc', 'gpt-4o-mini', 'fine_tune'],
  ])('%s', async (name, id, matched_by) => {
    const { status, body } = await get(api.url, `/v1/models/${name}`);
    expect(status).toBe(200);
    expect(Value.Check(modelByNameResponse, body)).toBe(true);
    expect(body).toMatchObject({ id, matched_by });
  });

  test('of an unknown one tells the nearest', async () => {
    const { status, body } = await get(api.url, '/v1/models/gpt4o');
    expect([status, (body as Problem).code]).toEqual([404, 'model_not_found']);
    expect((body as Problem).detail).toContain('Nearest known: gpt-4o,');
    const { body: unlike } = await get(api.url, '/v1/models/nope');
    expect((unlike as Problem).detail).not.toContain('Nearest');
  });
});

test("an operator's file decides what is known, for lists and for requests", async () => {
  const path = join(await tempDir(), 'models.json');
  await writeFile(path, JSON.stringify({ models: [{ id: 'our-model', context_window: 2000 }] }));
  const { url } = await startApi({ PREFLIGHT_MODELS_FILE: path });
  const { body: model } = await get(url, '/v1/models/our-model');
  expect(model).toMatchObject({ provider: 'operator', context_window: 2000, source: path });
  const messages = [{ role: 'user', content: 'hello' }];
  const { status, body } = await post(url, '/v1/preflight', { model: 'our-model', messages });
  expect(status).toBe(200);
  expect(body).toMatchObject({ tokens: { context_window: 2000 }, warnings: [] });
});

test('a cloud that may have a smaller window is warned of, unless the request says which', async () => {
  const messages = [{ role: 'user', content: 'hello' }];
  const model = 'bedrock/us.anthropic.claude-opus-4-6-v1:0';
  const codesOf = ({ body }: Awaited<ReturnType<typeof post>>) =>
    (body as { warnings: { code: string }[] }).warnings.map(({ code }) => code);
  expect(codesOf(await post(api.url, '/v1/preflight', { model, messages }))).toContain('cloud_window');
  const stated = { model, messages, context_window: 1_000_000 };
  expect(codesOf(await post(api.url, '/v1/preflight', stated))).not.toContain('cloud_window');
});
