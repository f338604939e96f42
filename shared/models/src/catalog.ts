import type { Model, Provider } from './model.js';

/** Models that share all facts but their name. */
export interface CatalogRow extends Pick<Model, 'contextWindowTokens' | 'maxOutputTokens' | 'source'> {
  readonly family: Family;
  readonly ids: readonly string[];
  /** Null where the model's own vocabulary is not public, or not one of ours. */
  readonly encoding: string | null;
}

export const RETRIEVED_AT = '2026-11';

const WINDOWS = 'formats.md §4';
const OPENAI = 'developers.openai.com/api/docs/models';
const ANTHROPIC = 'formats.md §4; platform.claude.com/docs/en/about-claude/models';
const GOOGLE = 'ai.google.dev/gemini-api/docs/models';
const MODEL_CARD = 'model card of the weights';

export type Family = keyof typeof PROVIDERS;

/** Who makes the models of a family. */
export const PROVIDERS = {
  'gpt-6': 'openai',
  'gpt-5': 'openai',
  'gpt-4.1': 'openai',
  'gpt-4o': 'openai',
  'o-series': 'openai',
  'gpt-4': 'openai',
  'gpt-3.5': 'openai',
  'gpt-oss': 'openai',
  claude: 'anthropic',
  gemini: 'google',
  llama: 'meta',
  mistral: 'mistral',
  qwen: 'qwen',
  deepseek: 'deepseek',
} as const satisfies Record<string, Provider>;

/**
 * Windows and output limits. A model whose window is not known, or depends on the host that runs it, is left out:
 * an unknown name asks the caller for a window, a wrong one would destroy history or overflow.
 * Snapshots stand here only where they differ from the model they are named after.
 */
export const CATALOG: readonly CatalogRow[] = [
  // OpenAI. GPT-6 has no published vocabulary (accounting.md §5).
  {
    family: 'gpt-6',
    encoding: null,
    contextWindowTokens: 1_050_000,
    maxOutputTokens: 128_000,
    source: WINDOWS,
    ids: ['gpt-6-astra', 'gpt-6.1-sol', 'gpt-6.2-sol'],
  },
  {
    family: 'gpt-6',
    encoding: null,
    contextWindowTokens: 1_050_000,
    maxOutputTokens: 128_000,
    source: OPENAI,
    ids: ['gpt-6-sol'],
  },
  {
    family: 'gpt-5',
    encoding: 'o200k_base',
    contextWindowTokens: 1_050_000,
    maxOutputTokens: 128_000,
    source: WINDOWS,
    ids: ['gpt-5.6', 'gpt-5.6-sol', 'gpt-5.6-terra', 'gpt-5.6-luna', 'gpt-5.4'],
  },
  {
    family: 'gpt-5',
    encoding: 'o200k_base',
    contextWindowTokens: 1_050_000,
    maxOutputTokens: 128_000,
    source: OPENAI,
    ids: ['gpt-5.5', 'gpt-5.5-pro'],
  },
  {
    family: 'gpt-5',
    encoding: 'o200k_base',
    contextWindowTokens: 400_000,
    maxOutputTokens: 128_000,
    source: OPENAI,
    ids: ['gpt-5.4-mini', 'gpt-5.4-nano'],
  },
  {
    family: 'gpt-5',
    encoding: 'o200k_base',
    contextWindowTokens: 400_000,
    maxOutputTokens: 128_000,
    source: WINDOWS,
    ids: [
      'gpt-5',
      'gpt-5-mini',
      'gpt-5-nano',
      'gpt-5.1',
      'gpt-5.2',
      'gpt-5-codex',
      'gpt-5.1-codex',
      'gpt-5.2-codex',
    ],
  },
  {
    family: 'gpt-5',
    encoding: 'o200k_base',
    contextWindowTokens: 128_000,
    maxOutputTokens: 16_384,
    source: WINDOWS,
    ids: ['gpt-5-chat-latest', 'gpt-5.1-chat-latest', 'gpt-5.2-chat-latest'],
  },
  {
    family: 'gpt-4.1',
    encoding: 'o200k_base',
    contextWindowTokens: 1_047_576,
    maxOutputTokens: 32_768,
    source: WINDOWS,
    ids: ['gpt-4.1', 'gpt-4.1-mini', 'gpt-4.1-nano'],
  },
  {
    family: 'gpt-4o',
    encoding: 'o200k_base',
    contextWindowTokens: 128_000,
    maxOutputTokens: 16_384,
    source: WINDOWS,
    ids: ['gpt-4o', 'gpt-4o-mini', 'gpt-audio'],
  },
  {
    family: 'gpt-4o',
    encoding: 'o200k_base',
    contextWindowTokens: 128_000,
    maxOutputTokens: 16_384,
    source: OPENAI,
    ids: ['chatgpt-4o-latest'],
  },
  {
    family: 'gpt-4o',
    encoding: 'o200k_base',
    contextWindowTokens: 128_000,
    maxOutputTokens: 4_096,
    source: OPENAI,
    ids: ['gpt-4o-2024-05-13'],
  },
  {
    family: 'o-series',
    encoding: 'o200k_base',
    contextWindowTokens: 200_000,
    maxOutputTokens: 100_000,
    source: WINDOWS,
    ids: ['o1', 'o3', 'o4-mini'],
  },
  {
    family: 'o-series',
    encoding: 'o200k_base',
    contextWindowTokens: 200_000,
    maxOutputTokens: 100_000,
    source: OPENAI,
    ids: ['o1-pro', 'o3-pro', 'o3-mini'],
  },
  {
    family: 'o-series',
    encoding: 'o200k_base',
    contextWindowTokens: 128_000,
    maxOutputTokens: 65_536,
    source: OPENAI,
    ids: ['o1-mini'],
  },
  {
    family: 'o-series',
    encoding: 'o200k_base',
    contextWindowTokens: 128_000,
    maxOutputTokens: 32_768,
    source: OPENAI,
    ids: ['o1-preview'],
  },
  {
    family: 'gpt-4',
    encoding: 'cl100k_base',
    contextWindowTokens: 128_000,
    maxOutputTokens: 4_096,
    source: OPENAI,
    ids: [
      'gpt-4-turbo',
      'gpt-4-turbo-preview',
      'gpt-4-0125-preview',
      'gpt-4-1106-preview',
      'gpt-4-vision-preview',
    ],
  },
  {
    family: 'gpt-4',
    encoding: 'cl100k_base',
    contextWindowTokens: 32_768,
    maxOutputTokens: null,
    source: OPENAI,
    ids: ['gpt-4-32k', 'gpt-4-32k-0314', 'gpt-4-32k-0613'],
  },
  {
    family: 'gpt-4',
    encoding: 'cl100k_base',
    contextWindowTokens: 8_192,
    maxOutputTokens: null,
    source: OPENAI,
    ids: ['gpt-4', 'gpt-4-0314', 'gpt-4-0613'],
  },
  {
    family: 'gpt-3.5',
    encoding: 'cl100k_base',
    contextWindowTokens: 16_385,
    maxOutputTokens: 4_096,
    source: OPENAI,
    ids: [
      'gpt-3.5-turbo',
      'gpt-3.5-turbo-0125',
      'gpt-3.5-turbo-1106',
      'gpt-3.5-turbo-16k',
      'gpt-3.5-turbo-16k-0613',
    ],
  },
  {
    family: 'gpt-3.5',
    encoding: 'cl100k_base',
    contextWindowTokens: 4_096,
    maxOutputTokens: null,
    source: OPENAI,
    ids: ['gpt-3.5-turbo-0301', 'gpt-3.5-turbo-0613'],
  },
  // o200k_harmony is o200k_base with more special tokens; ordinary text is the same in both.
  {
    family: 'gpt-oss',
    encoding: 'o200k_harmony',
    contextWindowTokens: 131_072,
    maxOutputTokens: null,
    source: MODEL_CARD,
    ids: ['gpt-oss-120b', 'gpt-oss-20b'],
  },

  // Anthropic. No vocabulary is public (accounting.md §5).
  {
    family: 'claude',
    encoding: null,
    contextWindowTokens: 1_000_000,
    maxOutputTokens: 128_000,
    source: WINDOWS,
    ids: [
      'claude-fable-5',
      'claude-fable-5-1',
      'claude-opus-4-6',
      'claude-opus-4-7',
      'claude-opus-4-8',
      'claude-opus-5',
      'claude-opus-5-5',
      'claude-sonnet-4-6',
      'claude-sonnet-5',
      'claude-sonnet-5-5',
      'claude-haiku-5-5',
    ],
  },
  {
    family: 'claude',
    encoding: null,
    contextWindowTokens: 200_000,
    maxOutputTokens: 64_000,
    source: WINDOWS,
    ids: ['claude-haiku-4-5', 'claude-opus-4-5', 'claude-sonnet-4-5'],
  },
  {
    family: 'claude',
    encoding: null,
    contextWindowTokens: 200_000,
    maxOutputTokens: 64_000,
    source: ANTHROPIC,
    ids: ['claude-sonnet-4', 'claude-sonnet-4-0', 'claude-3-7-sonnet'],
  },
  {
    family: 'claude',
    encoding: null,
    contextWindowTokens: 200_000,
    maxOutputTokens: 32_000,
    source: ANTHROPIC,
    ids: ['claude-opus-4', 'claude-opus-4-0', 'claude-opus-4-1'],
  },
  {
    family: 'claude',
    encoding: null,
    contextWindowTokens: 200_000,
    maxOutputTokens: 8_192,
    source: ANTHROPIC,
    ids: ['claude-3-5-sonnet', 'claude-3-5-haiku'],
  },
  {
    family: 'claude',
    encoding: null,
    contextWindowTokens: 200_000,
    maxOutputTokens: 4_096,
    source: ANTHROPIC,
    ids: ['claude-3-opus', 'claude-3-sonnet', 'claude-3-haiku'],
  },

  // Google. The input limit stands for the window: output does not eat into it (formats.md §4, "separate").
  {
    family: 'gemini',
    encoding: null,
    contextWindowTokens: 1_048_576,
    maxOutputTokens: 65_536,
    source: WINDOWS,
    ids: [
      'gemini-3-pro',
      'gemini-3-flash',
      'gemini-3.1-pro',
      'gemini-2.5-pro',
      'gemini-2.5-flash',
      'gemini-2.5-flash-lite',
    ],
  },
  {
    family: 'gemini',
    encoding: null,
    contextWindowTokens: 1_048_576,
    maxOutputTokens: 8_192,
    source: GOOGLE,
    ids: ['gemini-2.0-flash', 'gemini-2.0-flash-lite'],
  },

  // Open weights, as published. Hosts may serve less; the request's own context_window wins.
  {
    family: 'llama',
    encoding: null,
    contextWindowTokens: 131_072,
    maxOutputTokens: null,
    source: MODEL_CARD,
    ids: [
      'llama-3.1-8b-instruct',
      'llama-3.1-70b-instruct',
      'llama-3.1-405b-instruct',
      'llama-3.2-1b-instruct',
      'llama-3.2-3b-instruct',
      'llama-3.2-11b-vision-instruct',
      'llama-3.2-90b-vision-instruct',
      'llama-3.3-70b-instruct',
    ],
  },
  {
    family: 'llama',
    encoding: null,
    contextWindowTokens: 8_192,
    maxOutputTokens: null,
    source: MODEL_CARD,
    ids: ['llama-3-8b-instruct', 'llama-3-70b-instruct'],
  },
  {
    family: 'mistral',
    encoding: null,
    contextWindowTokens: 128_000,
    maxOutputTokens: null,
    source: MODEL_CARD,
    ids: [
      'mistral-large-2407',
      'mistral-large-2411',
      'mistral-small-2503',
      'mistral-small-2506',
      'mistral-nemo',
    ],
  },
  {
    family: 'mistral',
    encoding: null,
    contextWindowTokens: 65_536,
    maxOutputTokens: null,
    source: MODEL_CARD,
    ids: ['mixtral-8x22b-instruct'],
  },
  {
    family: 'mistral',
    encoding: null,
    contextWindowTokens: 32_768,
    maxOutputTokens: null,
    source: MODEL_CARD,
    ids: ['mixtral-8x7b-instruct'],
  },
  {
    family: 'qwen',
    encoding: null,
    contextWindowTokens: 262_144,
    maxOutputTokens: null,
    source: MODEL_CARD,
    ids: [
      'qwen3-235b-a22b-instruct-2507',
      'qwen3-235b-a22b-thinking-2507',
      'qwen3-30b-a3b-instruct-2507',
      'qwen3-30b-a3b-thinking-2507',
      'qwen3-4b-instruct-2507',
      'qwen3-coder-480b-a35b-instruct',
    ],
  },
  // Without the names deepseek-chat and deepseek-reasoner: their window has changed with the model behind them.
  {
    family: 'deepseek',
    encoding: null,
    contextWindowTokens: 128_000,
    maxOutputTokens: null,
    source: MODEL_CARD,
    ids: ['deepseek-v3', 'deepseek-v3.1', 'deepseek-r1'],
  },
];
