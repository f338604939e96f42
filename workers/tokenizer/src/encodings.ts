/**
 * The splitting patterns: o200k, cl100k, the one that GPT-2, r50k and p50k share; and those of vocabularies that are given
 * by name. For each there is a kernel.
 */
export type PatternFamily = 'o200k' | 'cl100k' | 'gpt2' | NamedFamily;

/** Llama 3 (cl100k's), Qwen 2 to 3 (cl100k's with digits one by one), Tekken (o200k's without contractions). */
export type NamedFamily = 'llama3' | 'qwen2' | 'tekken';

export interface EncodingFacts {
  readonly family: PatternFamily;
  /** The encoding whose ordinary tokens these are, and whose tables the kernel uses: itself, unless it is an alias. */
  readonly vocabulary: string;
  /**
   * Names the rank data and the pattern: the first 12 hex digits of the SHA-256 of both. Belongs into every
   * key under which a count is stored, so that a changed vocabulary never meets an old count. A test compares
   * it.
   */
  readonly vocabularyVersion: string;
  /** Texts are brought to NFC before they are split. */
  readonly isNormalized?: boolean;
}

export interface ShippedEncoding extends EncodingFacts {
  /** What tiktoken ships of it. Spelled out, so that bundlers see it, and nothing is loaded that is not asked for. */
  readonly importData: () => Promise<{ readonly default: unknown }>;
}

/**
 * Every encoding that tiktoken 1.0.22 ships, and o200k_harmony: gpt-oss's, which is o200k_base but for its special
 * tokens, and those are ordinary text here.
 */
export const ENCODINGS = {
  o200k_base: {
    family: 'o200k',
    vocabulary: 'o200k_base',
    vocabularyVersion: '34bd67198c20',
    importData: () => import('tiktoken/encoders/o200k_base'),
  },
  o200k_harmony: {
    family: 'o200k',
    vocabulary: 'o200k_base',
    vocabularyVersion: '34bd67198c20',
    importData: () => import('tiktoken/encoders/o200k_base'),
  },
  cl100k_base: {
    family: 'cl100k',
    vocabulary: 'cl100k_base',
    vocabularyVersion: '2fa6b7553e46',
    importData: () => import('tiktoken/encoders/cl100k_base'),
  },
  p50k_base: {
    family: 'gpt2',
    vocabulary: 'p50k_base',
    vocabularyVersion: '049d8176a7b7',
    importData: () => import('tiktoken/encoders/p50k_base'),
  },
  p50k_edit: {
    family: 'gpt2',
    vocabulary: 'p50k_base',
    vocabularyVersion: '049d8176a7b7',
    importData: () => import('tiktoken/encoders/p50k_edit'),
  },
  r50k_base: {
    family: 'gpt2',
    vocabulary: 'r50k_base',
    vocabularyVersion: 'f42dd5c49827',
    importData: () => import('tiktoken/encoders/r50k_base'),
  },
  gpt2: {
    family: 'gpt2',
    vocabulary: 'r50k_base',
    vocabularyVersion: 'f42dd5c49827',
    importData: () => import('tiktoken/encoders/gpt2'),
  },
} as const satisfies Record<string, ShippedEncoding>;

export type ShippedName = keyof typeof ENCODINGS;

export const ENCODING_NAMES = Object.keys(ENCODINGS) as readonly ShippedName[];

/** Whether it comes with tiktoken, so that it is there in every process. */
export function isShipped(name: string): name is ShippedName {
  return Object.hasOwn(ENCODINGS, name);
}

/** An encoding that is shipped, or a vocabulary that this process was given by name (`nameVocabulary`). */
export type EncodingName = ShippedName | (string & { readonly isNamed?: true });

/** What was given by name; module state is per thread, and threads learn of it with the kernel. */
const named = new Map<string, EncodingFacts>();

/** Makes a vocabulary an encoding of this thread. */
export function addNamedEncoding(facts: EncodingFacts): void {
  named.set(facts.vocabulary, facts);
}

/** All encodings that texts can be counted in here. */
export function encodingNames(): readonly EncodingName[] {
  return [...ENCODING_NAMES, ...named.keys()];
}

/** Whether texts can be counted in it, in this process. */
export function isEncodingName(name: string): name is EncodingName {
  return isShipped(name) || named.has(name);
}

/** Throws `UnknownEncodingError`. */
export function encodingFacts(name: EncodingName): EncodingFacts {
  const facts = isShipped(name) ? ENCODINGS[name] : named.get(name);
  if (facts === undefined) throw new UnknownEncodingError(name);
  return facts;
}

/** Thrown by `loadCounter`; `knownEncodings` is what may be asked for instead. */
export class UnknownEncodingError extends Error {
  override readonly name = 'UnknownEncodingError';
  readonly code = 'unknown_encoding';
  readonly knownEncodings = encodingNames();

  constructor(readonly encoding: string) {
    super(`unknown encoding "${encoding}"; known are ${encodingNames().join(', ')}`);
  }
}
