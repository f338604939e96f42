import type { EncodingName } from '../encodings.js';

/** Encodings whose ordinary tokens are those of another share its tables. */
const VOCABULARY_OF: Readonly<Record<EncodingName, string>> = {
  o200k_base: 'o200k_base',
  o200k_harmony: 'o200k_base',
  cl100k_base: 'cl100k_base',
  p50k_base: 'p50k_base',
  p50k_edit: 'p50k_base',
  r50k_base: 'r50k_base',
  gpt2: 'r50k_base',
};

/** What `npm run build` made, seen from src/kernel and from dist/kernel alike. */
const ARTEFACTS = new URL('../../dist/artefacts/', import.meta.url);

export function vocabularyOf(encoding: EncodingName): string {
  return VOCABULARY_OF[encoding];
}

export function tablesUrl(vocabulary: string): URL {
  return new URL(`${vocabulary}.tables`, ARTEFACTS);
}

export function moduleUrl(family: string): URL {
  return new URL(`${family}.wasm`, ARTEFACTS);
}
