/** The splitting patterns: o200k, cl100k, and the one that GPT-2, r50k and p50k share. */
export type PatternFamily = 'o200k' | 'cl100k' | 'gpt2';

export interface EncodingFacts {
  readonly family: PatternFamily;
  /**
   * Names the rank data and the pattern: the first 12 hex digits of the SHA-256 of both. Belongs into every
   * key under which a count is stored, so that a changed vocabulary never meets an old count. A test compares
   * it.
   */
  readonly vocabularyVersion: string;
}

/**
 * Every encoding that tiktoken 1.0.22 ships, and o200k_harmony: gpt-oss's, which is o200k_base but for its special
 * tokens, and those are ordinary text here.
 */
export const ENCODINGS = {
  o200k_base: { family: 'o200k', vocabularyVersion: '34bd67198c20' },
  o200k_harmony: { family: 'o200k', vocabularyVersion: '34bd67198c20' },
  cl100k_base: { family: 'cl100k', vocabularyVersion: '2fa6b7553e46' },
  p50k_base: { family: 'gpt2', vocabularyVersion: '049d8176a7b7' },
  p50k_edit: { family: 'gpt2', vocabularyVersion: '049d8176a7b7' },
  r50k_base: { family: 'gpt2', vocabularyVersion: 'f42dd5c49827' },
  gpt2: { family: 'gpt2', vocabularyVersion: 'f42dd5c49827' },
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
