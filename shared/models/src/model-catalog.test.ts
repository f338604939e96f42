import { describe, expect, it } from 'vitest';
import { MODEL_CATALOG } from './index.js';

/** Names as people write them in programs, configurations and gateways. */
const NAMES = [
  ['gpt-4o', 'gpt-4o', 'exact', 128_000],
  ['GPT-4o', 'gpt-4o', 'exact', 128_000],
  ['gpt-4', 'gpt-4', 'exact', 8_192],
  ['gpt-4-32k-0613', 'gpt-4-32k-0613', 'exact', 32_768],
  ['gpt-35-turbo', 'gpt-3.5-turbo', 'exact', 16_385],
  ['gpt-3.5-turbo-0613', 'gpt-3.5-turbo-0613', 'exact', 4_096],
  ['gpt-4.1-mini', 'gpt-4.1-mini', 'exact', 1_047_576],
  ['gpt-5-chat-latest', 'gpt-5-chat-latest', 'exact', 128_000],
  ['gpt-5.4', 'gpt-5.4', 'exact', 1_050_000],
  ['gpt-5.4-mini', 'gpt-5.4-mini', 'exact', 400_000],
  ['claude-sonnet-4.5', 'claude-sonnet-4-5', 'exact', 200_000],
  ['claude-4.5-sonnet', 'claude-sonnet-4-5', 'exact', 200_000],
  ['claude-sonnet-3.7', 'claude-3-7-sonnet', 'exact', 200_000],
  ['gpt-4o-2024-08-06', 'gpt-4o', 'snapshot', 128_000],
  ['gpt-4o-2024-05-13', 'gpt-4o-2024-05-13', 'exact', 128_000],
  ['gpt-4-turbo-2024-04-09', 'gpt-4-turbo', 'snapshot', 128_000],
  ['o3-mini-2025-01-31', 'o3-mini', 'snapshot', 200_000],
  ['claude-opus-4-1-20250805', 'claude-opus-4-1', 'snapshot', 200_000],
  ['claude-opus-4-20250514', 'claude-opus-4', 'snapshot', 200_000],
  ['claude-3-5-sonnet@20240620', 'claude-3-5-sonnet', 'snapshot', 200_000],
  ['claude-3-5-sonnet-v2@20241022', 'claude-3-5-sonnet', 'snapshot', 200_000],
  ['claude-3-7-sonnet-latest', 'claude-3-7-sonnet', 'snapshot', 200_000],
  ['gemini-2.5-flash-preview-09-2025', 'gemini-2.5-flash', 'snapshot', 1_048_576],
  ['gemini-2.0-flash-001', 'gemini-2.0-flash', 'snapshot', 1_048_576],
  ['gemini-3-pro-preview', 'gemini-3-pro', 'snapshot', 1_048_576],
  ['openai/gpt-4o', 'gpt-4o', 'vendor_prefix', 128_000],
  ['openai:gpt-4o', 'gpt-4o', 'vendor_prefix', 128_000],
  ['openai/responses/gpt-5', 'gpt-5', 'vendor_prefix', 400_000],
  ['azure/gpt-4o-mini', 'gpt-4o-mini', 'vendor_prefix', 128_000],
  ['azure/gpt-35-turbo', 'gpt-3.5-turbo', 'vendor_prefix', 16_385],
  ['openrouter/openai/gpt-4o-mini:nitro', 'gpt-4o-mini', 'vendor_prefix', 128_000],
  ['openrouter/anthropic/claude-3.5-sonnet', 'claude-3-5-sonnet', 'vendor_prefix', 200_000],
  ['openrouter/anthropic/claude-opus-4.6', 'claude-opus-4-6', 'vendor_prefix', 1_000_000],
  ['anthropic/claude-sonnet-5', 'claude-sonnet-5', 'vendor_prefix', 1_000_000],
  ['anthropic:claude-haiku-4-5-20251001', 'claude-haiku-4-5', 'vendor_prefix', 200_000],
  ['gemini/gemini-2.5-flash', 'gemini-2.5-flash', 'vendor_prefix', 1_048_576],
  ['models/gemini-2.5-pro', 'gemini-2.5-pro', 'vendor_prefix', 1_048_576],
  ['google/gemini-2.5-pro-preview', 'gemini-2.5-pro', 'vendor_prefix', 1_048_576],
  ['vertex_ai/gemini-2.5-pro@default', 'gemini-2.5-pro', 'vendor_prefix', 1_048_576],
  ['vertex_ai/claude-sonnet-4-5@20250929', 'claude-sonnet-4-5', 'vendor_prefix', 200_000],
  ['vertex_ai/claude-opus-4-6@20260205', 'claude-opus-4-6', 'vendor_prefix', 200_000],
  [
    'projects/p/locations/us-central1/publishers/google/models/gemini-2.5-pro',
    'gemini-2.5-pro',
    'vendor_prefix',
    1_048_576,
  ],
  ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5', 'vendor_prefix', 200_000],
  [
    'bedrock/converse/us-east-1/anthropic.claude-3-haiku-20240307-v1:0',
    'claude-3-haiku',
    'vendor_prefix',
    200_000,
  ],
  ['global.anthropic.claude-opus-4-6-v1:0', 'claude-opus-4-6', 'vendor_prefix', 200_000],
  [
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-20250514-v1:0',
    'claude-sonnet-4',
    'vendor_prefix',
    200_000,
  ],
  ['meta.llama3-1-70b-instruct-v1:0', 'llama-3.1-70b-instruct', 'vendor_prefix', 131_072],
  ['openai.gpt-oss-120b-1:0', 'gpt-oss-120b', 'vendor_prefix', 131_072],
  ['meta-llama/Llama-3.3-70B-Instruct', 'llama-3.3-70b-instruct', 'vendor_prefix', 131_072],
  ['xai/grok-4.6', 'grok-4.6', 'vendor_prefix', 500_000],
  ['openai/gpt-4o-2024-08-06', 'gpt-4o', 'vendor_prefix', 128_000],
  ['ft:gpt-4o-mini-2024-07-18:acme::abc123', 'gpt-4o-mini', 'fine_tune', 128_000],
  ['ft:gpt-3.5-turbo-0613:acme::abc123', 'gpt-3.5-turbo-0613', 'fine_tune', 4_096],
  ['ft:gpt-4.1:acme', 'gpt-4.1', 'fine_tune', 1_047_576],
  ['gpt-4o-2024-08-06.ft-0e4f1b', 'gpt-4o', 'fine_tune', 128_000],
] as const;

const UNKNOWN = [
  '',
  'any',
  'gpt',
  'gpt-4-foo',
  'gpt-4-9999',
  'gpt-4-preview',
  'gpt-4o-audio-preview',
  'gpt-4o:extended',
  'openrouter/openai/gpt-4o:extended',
  'openrouter/meta-llama/llama-3.3-70b-instruct:free',
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
  'vertex_ai/openai/claude-opus-4-6',
  'bedrock/us.anthropic.gpt-4o-v1:0',
  'someone/gpt-4o',
  'groq/llama-3.3-70b-instruct',
  'ollama/llama3.1',
  'azure/gpt4-128k',
  'my-company-llm',
  'ft:claude-3-haiku:acme',
  'ft:',
  '/',
  'arn:aws:bedrock:us-east-1:123456789012:provisioned-model/abcdef',
  '__proto__',
  'constructor/gpt-4o',
  'bedrock/__proto__/constructor',
  `gpt-4o${'-'.repeat(1_000_000)}`,
  `${'openrouter/'.repeat(18)}x`,
];

describe('a name', () => {
  it.each(NAMES)('%s is %s (%s)', (name, id, matchedBy, contextWindowTokens) => {
    expect(MODEL_CATALOG.resolve(name)).toMatchObject({ matchedBy, model: { id, contextWindowTokens } });
  });

  it.each(UNKNOWN)('is not guessed: %.40s', (name) => {
    expect(MODEL_CATALOG.resolve(name)).toBeUndefined();
  });

  it('on a cloud says that the window may be larger there', () => {
    expect(MODEL_CATALOG.resolve('vertex_ai/claude-opus-4-6')?.largerWindowTokens).toBe(1_000_000);
    expect(MODEL_CATALOG.resolve('anthropic/claude-opus-4-6')?.largerWindowTokens).toBeUndefined();
  });

  it('has prices only where its maker sells it as it is', () => {
    const pricesOf = (name: string) => MODEL_CATALOG.resolve(name)?.model.prices;
    expect(pricesOf('openai/gpt-4o-2024-08-06')).toMatchObject({ input: 2.5 });
    for (const name of ['azure/gpt-4o', 'openrouter/openai/gpt-4o', 'ft:gpt-4o:acme']) {
      expect(pricesOf(name), name).toBeNull();
    }
  });
});

describe('the nearest names', () => {
  it.each([
    ['gpt4o', 'gpt-4o'],
    ['openai/gpt4o', 'gpt-4o'],
    ['gpt-4.1-mni', 'gpt-4.1-mini'],
    ['claude-sonnet', 'claude-sonnet-5-5'],
    ['claude-sonet-4-5', 'claude-sonnet-4-5'],
    ['haiku', 'claude-haiku-5-5'],
    ['Gemini-2.5-flsh', 'gemini-2.5-flash'],
    ['llama-3.3-70b', 'llama-3.3-70b-instruct'],
  ])('to %s begin with %s', (name, expected) => {
    expect(MODEL_CATALOG.nearest(name, 3)[0]).toBe(expected);
  });

  it.each(['nope', '', 'my-company-llm', '???', 'x'.repeat(5_000_000)])('to %.20s are none', (name) => {
    expect(MODEL_CATALOG.nearest(name, 3)).toEqual([]);
  });
});
