import { ENCODINGS, loadCounter } from '@preflight/tokenizer';
import { PlainReference } from './reference/plain.mjs';
import { Tiktoken } from './reference/tiktoken.mjs';

/**
 * What is tested and what it is measured by.
 * @typedef {object} Subject
 * @property {string} encoding
 * @property {import('@preflight/tokenizer').PatternFamily} family
 * @property {import('@preflight/tokenizer').Counter} counter one for all cases, so that what one case leaves
 *   behind in its memory meets the next
 * @property {Tiktoken} tiktoken
 * @property {PlainReference} plain for pieces too long for tiktoken
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
