import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_CATALOG } from '@preflight/models';
import { ConfigError } from '@preflight/runtime';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/harness/temp-dir.js';
import { readModels } from './models-file.js';

async function fileOf(content: unknown): Promise<string> {
  const path = join(await tempDir(), 'models.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const modelsOf = async (...models: object[]) => readModels(await fileOf({ models }));

test('without a file, the catalog is the one that is shipped', () => {
  expect(readModels(undefined)).toBe(MODEL_CATALOG);
});

test('a file changes facts and adds models', async () => {
  const models = await modelsOf(
    { id: 'gpt-4o', context_window: 64_000, prices: { input: 1, output: 2 } },
    { id: 'our-deployment', like: 'gpt-4o', max_output_tokens: null },
    { id: 'acme/llm-1', context_window: 32_000, encoding: 'cl100k_base', capabilities: ['image'] },
  );
  expect(models.resolve('gpt-4o-2024-08-06')?.model).toMatchObject({
    contextWindowTokens: 64_000,
    maxOutputTokens: 16_384,
    prices: { input: 1, cachedInput: null, output: 2 },
    source: expect.stringContaining('models.json'),
  });
  expect(models.resolve('our-deployment')?.model).toMatchObject({
    contextWindowTokens: 64_000,
    maxOutputTokens: null,
    encoding: 'o200k_base',
    exactEncoding: true,
    provider: 'openai',
  });
  expect(models.resolve('acme/llm-1')?.model).toMatchObject({
    provider: 'operator',
    windowType: 'shared_sum',
    contextWindowTokens: 32_000,
    encoding: 'cl100k_base',
    exactEncoding: true,
    prices: null,
  });
  expect(models.list()).toHaveLength(MODEL_CATALOG.list().length + 2);
});

test('a window that an operator states is not made smaller on a cloud', async () => {
  const models = await modelsOf({ id: 'claude-opus-4-6', context_window: 1_000_000 });
  expect(models.resolve('bedrock/anthropic.claude-opus-4-6-v1:0')).toMatchObject({
    model: { contextWindowTokens: 1_000_000 },
  });
});

test.each([
  ['{', 'the file', /is not valid JSON/],
  ['[]', 'the file', /must be an object, not an array/],
  [{}, '/models', /is missing/],
  [{ models: [{ id: 'a' }] }, '/models/0/context_window', /required of a new model/],
  [{ models: [{ id: 'A', context_window: 1 }] }, '/models/0/id', /as in "gpt-4o", not "A"/],
  [
    { models: [{ id: 'gpt-4o', context_window: 0 }] },
    '/models/0/context_window',
    /must be at least 1, not 0/,
  ],
  [{ models: [{ id: 'gpt-4o', windows: 1 }] }, '/models/0/windows', /is not known; known are id/],
  [{ models: [{ id: 'gpt-4o' }, { id: 'gpt-4o' }] }, '/models/1/id', /twice/],
  [{ models: [{ id: 'a', like: 'b' }] }, '/models/0/like', /no model/],
  [{ models: [{ id: 'gpt-4o', encoding: 'x' }] }, '/models/0/encoding', /must be one of/],
  [{ models: [{ id: 'gpt-4', max_output_tokens: 9000 }] }, '/models/0/max_output_tokens', /above/],
  [
    { models: [{ id: 'gpt-4o', window_type: 'open' }] },
    '/models/0/window_type',
    /must be one of .*, not "open"/,
  ],
  [
    { models: [{ id: 'gpt-4o', prices: { input: -1, output: 1 } }] },
    '/models/0/prices/input',
    /must be at least 0, not -1/,
  ],
])('%j is refused, with the place', async (content, place, words) => {
  const path = await fileOf(content);
  const fault = () => readModels(path);
  expect(fault).toThrow(ConfigError);
  expect(fault).toThrow(`json: ${place}`);
  expect(fault).toThrow(words);
  expect(fault).toThrow('PREFLIGHT_MODELS_FILE');
});
