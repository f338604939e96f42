import { describe, expect, it } from 'vitest';
import { CATALOG } from './catalog.js';
import { listModels, nearestModels, resolveModel } from './index.js';

describe('resolveModel', () => {
  it.each([
    ['gpt-4o', 'gpt-4o', 'exact', 128_000],
    ['GPT-4o', 'gpt-4o', 'exact', 128_000],
    ['gpt-4', 'gpt-4', 'exact', 8_192],
    ['gpt-4-32k-0613', 'gpt-4-32k-0613', 'exact', 32_768],
    ['gpt-3.5-turbo-0613', 'gpt-3.5-turbo-0613', 'exact', 4_096],
    ['gpt-4.1-mini', 'gpt-4.1-mini', 'exact', 1_047_576],
    ['gpt-5-chat-latest', 'gpt-5-chat-latest', 'exact', 128_000],
    ['gpt-5.4', 'gpt-5.4', 'exact', 1_050_000],
    ['gpt-5.4-mini', 'gpt-5.4-mini', 'exact', 400_000],
    ['claude-sonnet-4.5', 'claude-sonnet-4-5', 'exact', 200_000],
    ['gpt-4o-2024-08-06', 'gpt-4o', 'snapshot', 128_000],
    ['gpt-4-turbo-2024-04-09', 'gpt-4-turbo', 'snapshot', 128_000],
    ['o3-mini-2025-01-31', 'o3-mini', 'snapshot', 200_000],
    ['claude-opus-4-1-20250805', 'claude-opus-4-1', 'snapshot', 200_000],
    ['claude-opus-4-20250514', 'claude-opus-4', 'snapshot', 200_000],
    ['claude-3-5-sonnet@20240620', 'claude-3-5-sonnet', 'snapshot', 200_000],
    ['claude-3-7-sonnet-latest', 'claude-3-7-sonnet', 'snapshot', 200_000],
    ['gemini-2.5-flash-preview-09-2025', 'gemini-2.5-flash', 'snapshot', 1_048_576],
    ['gemini-2.0-flash-001', 'gemini-2.0-flash', 'snapshot', 1_048_576],
    ['gemini-3-pro-preview', 'gemini-3-pro', 'snapshot', 1_048_576],
    ['openai/gpt-4o', 'gpt-4o', 'vendor_prefix', 128_000],
    ['azure/gpt-4o-mini', 'gpt-4o-mini', 'vendor_prefix', 128_000],
    ['openrouter/anthropic/claude-3.5-sonnet', 'claude-3-5-sonnet', 'vendor_prefix', 200_000],
    ['gemini/gemini-2.5-flash', 'gemini-2.5-flash', 'vendor_prefix', 1_048_576],
    ['meta-llama/Llama-3.3-70B-Instruct', 'llama-3.3-70b-instruct', 'vendor_prefix', 131_072],
    ['openai/gpt-4o-2024-08-06', 'gpt-4o', 'vendor_prefix', 128_000],
    ['ft:gpt-4o-mini-2024-07-18:acme::abc123', 'gpt-4o-mini', 'fine_tune', 128_000],
    ['ft:gpt-3.5-turbo-0613:acme::abc123', 'gpt-3.5-turbo-0613', 'fine_tune', 4_096],
    ['ft:gpt-4.1:acme', 'gpt-4.1', 'fine_tune', 1_047_576],
  ])('%s is %s (%s)', (name, id, matchedBy, contextWindowTokens) => {
    const resolved = resolveModel(name);
    expect(resolved).toMatchObject({ matchedBy, model: { id, contextWindowTokens } });
  });

  it.each([
    '',
    'any',
    'gpt',
    'gpt-4-foo',
    'gpt-4-9999',
    'gpt-4-preview',
    'gpt-4o-audio-preview',
    'gpt-4o:extended',
    'gpt-4.1-giga',
    'gpt-5-2025',
    'gpt-7',
    'o3-deep-research',
    'gemini-2.5-flash-image',
    'gemini-2.5-flash-preview-tts',
    'gemini-3-pro-image-preview',
    'claude-opus-4-9',
    'claude-opus',
    'deepseek-chat',
    'anthropic/gpt-4o',
    'bedrock/claude-sonnet-5',
    'vertex_ai/claude-sonnet-5',
    'someone/gpt-4o',
    'ft:claude-3-haiku:acme',
    'ft:',
    '/',
    '__proto__',
    'constructor/gpt-4o',
    `gpt-4o${'-'.repeat(1_000_000)}`,
  ])('does not guess what %.40s is', (name) => {
    expect(resolveModel(name)).toBeUndefined();
  });
});

describe('the catalog', () => {
  it('names each model once, in lower case', () => {
    const ids = CATALOG.flatMap((row) => row.ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => id !== id.toLowerCase())).toEqual([]);
  });

  it('has figures that can be', () => {
    for (const model of listModels()) {
      expect(model.contextWindowTokens).toBeGreaterThanOrEqual(4_096);
      expect(model.maxOutputTokens ?? 1).toBeLessThanOrEqual(model.contextWindowTokens);
      expect(resolveModel(model.id)?.model).toBe(model);
    }
  });

  it('says where an encoding stands in for an unknown one', () => {
    expect(resolveModel('claude-opus-5')?.model).toMatchObject({
      encoding: 'o200k_base',
      exactEncoding: false,
    });
    expect(resolveModel('gpt-4')?.model).toMatchObject({ encoding: 'cl100k_base', exactEncoding: true });
  });
});

describe('nearestModels', () => {
  it.each([
    ['gpt-4.1-mni', 'gpt-4.1-mini'],
    ['openai/gpt4o', 'gpt-4o'],
    ['claude-sonet-4-5', 'claude-sonnet-4-5'],
    ['Gemini-2.5-flsh', 'gemini-2.5-flash'],
  ])('suggests for %s first %s', (name, expected) => {
    const nearest = nearestModels(name, 3);
    expect(nearest).toHaveLength(3);
    expect(nearest[0]).toBe(expected);
  });

  it('is quick about hostile names', () => {
    const started = performance.now();
    nearestModels('x'.repeat(5_000_000), 3);
    expect(performance.now() - started).toBeLessThan(200);
  });
});
