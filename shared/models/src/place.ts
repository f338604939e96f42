import type { Maker, Provider } from './model.js';

/** Where a model is asked for: by its maker, through a gateway that passes requests on, or on a cloud or host of its own. */
export type Route = 'maker' | 'gateway' | 'cloud';

export interface Prefix {
  readonly route: Route;
  /** Whose models stand behind it; all, if it does not say. */
  readonly makers?: readonly Maker[];
}

/** What may stand in front of a name, before a `/` or, of the same word, a `:`. */
export const PREFIXES: Readonly<Record<string, Prefix>> = {
  openai: { route: 'maker', makers: ['openai'] },
  anthropic: { route: 'maker', makers: ['anthropic'] },
  google: { route: 'maker', makers: ['google'] },
  gemini: { route: 'maker', makers: ['google'] },
  'google-gla': { route: 'maker', makers: ['google'] },
  models: { route: 'maker', makers: ['google'] },
  xai: { route: 'maker', makers: ['xai'] },
  'x-ai': { route: 'maker', makers: ['xai'] },
  mistral: { route: 'maker', makers: ['mistral'] },
  mistralai: { route: 'maker', makers: ['mistral'] },
  deepseek: { route: 'maker', makers: ['deepseek'] },
  'deepseek-ai': { route: 'maker', makers: ['deepseek'] },
  moonshot: { route: 'maker', makers: ['moonshotai'] },
  moonshotai: { route: 'maker', makers: ['moonshotai'] },
  'meta-llama': { route: 'maker', makers: ['meta'] },
  qwen: { route: 'maker', makers: ['qwen'] },
  google_genai: { route: 'maker', makers: ['google'] },
  openrouter: { route: 'gateway' },
  litellm_proxy: { route: 'gateway' },
  azure: { route: 'cloud', makers: ['openai'] },
  azure_openai: { route: 'cloud', makers: ['openai'] },
  azure_ai: { route: 'cloud' },
  vertex_ai: { route: 'cloud' },
  google_vertexai: { route: 'cloud' },
  'google-vertex': { route: 'cloud' },
  publishers: { route: 'cloud' },
  bedrock: { route: 'cloud' },
  bedrock_converse: { route: 'cloud' },
};

/** Words between a prefix and the name that say how it is asked for, not what. */
const DETOURS: ReadonlySet<string> = new Set(['converse', 'invoke', 'responses', 'chat', 'models']);

/** `us-east-1/` in front of names of Bedrock. */
const REGION = /^[a-z]{2}(?:-gov)?-[a-z]+-\d$/;

/** `us.anthropic.claude-opus-4-1-20250805-v1:0`: perhaps a region, the maker, the name, and perhaps a version. */
const BEDROCK_NAME =
  /^(?:(?:us|eu|ap|apac|au|ca|jp|us-gov|global)\.)?(anthropic|meta|mistral|openai|deepseek|qwen)\.(.+?)(?:-v\d+(?::\d+)?|-\d+:\d+)?$/;

/** Ways through a gateway, which change nothing about the model. Others do: `:extended`, `:free`. */
const GATEWAY_VARIANT = /:(?:nitro|floor|online|exacto|thinking)$/;

/** What a name says of where the model is asked for. */
export interface Place {
  readonly route: Route;
  /** Whose model it must be; of several prefixes, all must agree. */
  isOf(provider: Provider): boolean;
  /** The name without all that. */
  readonly name: string;
}

/** Reads what stands around a name; undefined if nothing does, or something that is not known. */
export function placeOf(name: string): Place | undefined {
  const arn = /^(?:bedrock\/(?:converse\/)?)?arn:aws[\w-]*:bedrock:[^/]*\/([^/]+)$/.exec(name)?.[1];
  if (arn !== undefined) return bedrockPlace(arn);
  const vertex = /^projects\/[^/]+\/locations\/[^/]+\/(publishers\/.+)$/.exec(name)?.[1];
  const words = (vertex ?? name.replace(/^([a-z_-]+):/, (_, word) => `${word}/`)).split('/');
  const rest = words.pop() as string;
  const prefixes: Prefix[] = [];
  for (const [position, word] of words.entries()) {
    const prefix = Object.hasOwn(PREFIXES, word) ? PREFIXES[word] : undefined;
    if (prefix !== undefined) prefixes.push(prefix);
    else if (position === 0 || !(DETOURS.has(word) || REGION.test(word))) return undefined;
  }
  const bedrock = bedrockPlace(rest);
  if (prefixes.length === 0) return bedrock;
  const route = (['cloud', 'gateway', 'maker'] as const).find((kind) =>
    prefixes.some((prefix) => prefix.route === kind),
  ) as Route;
  return {
    route,
    isOf: (provider) =>
      prefixes.every(({ makers }) => (makers as readonly string[] | undefined)?.includes(provider) ?? true) &&
      (bedrock?.isOf(provider) ?? true),
    name: route === 'gateway' ? rest.replace(GATEWAY_VARIANT, '') : (bedrock?.name ?? rest),
  };
}

function bedrockPlace(text: string): Place | undefined {
  const [, maker, name] = BEDROCK_NAME.exec(text) ?? [];
  if (maker === undefined || name === undefined) return undefined;
  return { route: 'cloud', isOf: (provider) => provider === maker, name };
}
