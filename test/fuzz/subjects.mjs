import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ENCODINGS, loadCounter } from '@preflight/tokenizer';
import { nameVocabulary } from '@preflight/tokenizer/vocabularies';
import { PlainReference } from './reference/plain.mjs';
import { Tiktoken } from './reference/tiktoken.mjs';
import { readTokenizerJson } from './reference/tokenizer-json.mjs';

/**
 * What is tested and what it is measured by.
 * @typedef {object} Subject
 * @property {string} encoding
 * @property {import('@preflight/tokenizer').PatternFamily} family
 * @property {import('@preflight/tokenizer').Counter} counter one for all cases, so that what one case leaves
 *   behind in its memory meets the next
 * @property {Tiktoken} tiktoken
 * @property {PlainReference} plain for pieces too long for tiktoken
 * @property {boolean} [isNormalized] texts are given in NFC, so that tokens spell them
 */

/**
 * @param {import('@preflight/tokenizer').EncodingName} encoding
 * @returns {Promise<Subject>}
 */
export async function loadSubject(encoding) {
  /** @type {PlainReference | undefined} */
  let plain;
  return {
    encoding,
    family: ENCODINGS[encoding].family,
    counter: await loadCounter(encoding),
    tiktoken: new Tiktoken(encoding),
    get plain() {
      plain ??= new PlainReference(encoding);
      return plain;
    },
  };
}

/**
 * A vocabulary in a `tokenizer.json`, which tiktoken is given the ranks of.
 * @param {string} path
 * @returns {Promise<Subject>}
 */
export async function loadTokenizerFile(path) {
  const file = readFileSync(path);
  const encoding = `${basename(dirname(path))}.${basename(path)}`;
  const { family } = nameVocabulary(encoding, file);
  const made = readTokenizerJson(file);
  /** @type {PlainReference | undefined} */
  let plain;
  return {
    encoding,
    family,
    isNormalized: made.isNormalized,
    counter: await loadCounter(encoding),
    tiktoken: new Tiktoken(encoding, made),
    get plain() {
      plain ??= new PlainReference(encoding, made);
      return plain;
    },
  };
}
