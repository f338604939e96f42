import { CATALOG, PROVIDERS, RETRIEVED_AT } from './catalog.js';
import type { Model, Provider } from './model.js';

/** How a name led to its model; of several ways the outermost is named. */
export type MatchedBy = 'exact' | 'snapshot' | 'fine_tune' | 'vendor_prefix';

export interface ResolvedModel {
  readonly model: Model;
  readonly matchedBy: MatchedBy;
}

/** Counted with where a model is not known, or its own vocabulary not at hand (design.md §7, Defaults). */
export const STAND_IN_ENCODING = 'o200k_base';

/** No model's name is longer; longer ones are not looked at. */
const MAX_NAME_LENGTH = 200;

const MODELS: ReadonlyMap<string, Model> = new Map(
  CATALOG.flatMap(({ ids, encoding, ...facts }) =>
    ids.map((id) => [
      id,
      {
        id,
        provider: PROVIDERS[facts.family],
        ...facts,
        encoding: encoding ?? STAND_IN_ENCODING,
        exactEncoding: encoding !== null,
        retrievedAt: RETRIEVED_AT,
      },
    ]),
  ),
);

/** Every model of the catalog, in its order. */
export function listModels(): readonly Model[] {
  return [...MODELS.values()];
}

/**
 * The model that a name stands for: an id of the catalog, a dated snapshot of one, a fine-tune
 * (`ft:gpt-4o:…`), or any of these behind a maker's or gateway's prefix (`openrouter/openai/gpt-4o`).
 * What follows a known id must be a date or version as its provider writes them, because other suffixes name other
 * models with other windows (`gpt-4-32k`, `gemini-2.5-flash-image`). Anything else is undefined, never a guess.
 */
export function resolveModel(name: string): ResolvedModel | undefined {
  return name.length > MAX_NAME_LENGTH ? undefined : resolve(name.trim().toLowerCase());
}

function resolve(name: string): ResolvedModel | undefined {
  return resolveExact(name) ?? resolveSnapshot(name) ?? resolveFineTune(name) ?? resolvePrefixed(name);
}

function resolveExact(name: string): ResolvedModel | undefined {
  const model = MODELS.get(name) ?? MODELS.get(withAnthropicDashes(name));
  return model && { model, matchedBy: 'exact' };
}

/** Gateways write `claude-3.5-sonnet` for what Anthropic calls `claude-3-5-sonnet`. */
function withAnthropicDashes(name: string): string {
  return name.startsWith('claude-') ? name.replaceAll('.', '-') : name;
}

/** What may follow the id of a model in the names of its snapshots, by provider. Open weights have none. */
const SNAPSHOT_SUFFIXES: Readonly<Partial<Record<Provider, RegExp>>> = {
  openai: /^-\d{4}-\d{2}-\d{2}$/,
  anthropic: /^(?:[-@]\d{8}|-latest)$/,
  google: /^(?:-\d{3}|-latest|-(?:preview|exp)(?:-\d{2}-\d{2,4})?)$/,
};

function resolveSnapshot(name: string): ResolvedModel | undefined {
  for (let end = name.length - 1; end > 0; end--) {
    if (name[end] !== '-' && name[end] !== '@') continue;
    const model = resolveExact(name.slice(0, end))?.model;
    if (model === undefined) continue;
    return SNAPSHOT_SUFFIXES[model.provider]?.test(name.slice(end))
      ? { model, matchedBy: 'snapshot' }
      : undefined;
  }
  return undefined;
}

/** `ft:<base model>:<organization>:<suffix>:<id>`: a fine-tune has the window of its base. */
function resolveFineTune(name: string): ResolvedModel | undefined {
  const [prefix, base] = name.split(':', 2);
  if (prefix !== 'ft' || base === undefined) return undefined;
  const model = (resolveExact(base) ?? resolveSnapshot(base))?.model;
  return model?.provider === 'openai' ? { model, matchedBy: 'fine_tune' } : undefined;
}

/**
 * Whose models stand behind a prefix. Clouds and hosts that may serve a smaller window are left out
 * (Claude on some clouds: 200,000 in place of 1,000,000, formats.md §4).
 */
const PREFIXES: Readonly<Record<string, Provider | 'any'>> = {
  openrouter: 'any',
  openai: 'openai',
  azure: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  gemini: 'google',
  models: 'google',
  vertex_ai: 'google',
  'meta-llama': 'meta',
  mistral: 'mistral',
  mistralai: 'mistral',
  qwen: 'qwen',
  deepseek: 'deepseek',
  'deepseek-ai': 'deepseek',
};

function resolvePrefixed(name: string): ResolvedModel | undefined {
  const slash = name.indexOf('/');
  const prefix = name.slice(0, Math.max(slash, 0));
  if (!Object.hasOwn(PREFIXES, prefix)) return undefined;
  const model = resolve(name.slice(slash + 1))?.model;
  const provider = PREFIXES[prefix];
  return model && (provider === 'any' || provider === model.provider)
    ? { model, matchedBy: 'vendor_prefix' }
    : undefined;
}
