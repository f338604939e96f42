/** The splitting patterns: o200k, cl100k, and the one that GPT-2, r50k and p50k share. */
export type PatternFamily = 'o200k' | 'cl100k' | 'gpt2';

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
} as const satisfies Record<string, EncodingFacts>;

export type EncodingName = keyof typeof ENCODINGS;

export const ENCODING_NAMES = Object.keys(ENCODINGS) as readonly EncodingName[];

export function isEncodingName(name: string): name is EncodingName {
  return Object.hasOwn(ENCODINGS, name);
}

/** Thrown by `loadCounter`; `knownEncodings` is what may be asked for instead. */
export class UnknownEncodingError extends Error {
  override readonly name = 'UnknownEncodingError';
  readonly code = 'unknown_encoding';
  readonly knownEncodings = ENCODING_NAMES;

  constructor(readonly encoding: string) {
    super(`unknown encoding "${encoding}"; known are ${ENCODING_NAMES.join(', ')}`);
  }
}
