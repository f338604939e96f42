/** Vocabularies of users, out of `tokenizer.json` files: `nameVocabulary` makes one known to `loadCounter` of this thread. */
export { type NamedVocabulary, nameVocabulary, vocabularyFile } from './name-vocabulary.js';
export { TokenizerFileError, type TokenizerFileIssue } from './tokenizer-file-error.js';
