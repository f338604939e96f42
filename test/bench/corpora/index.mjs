import { attachmentCorpora } from './attachments.mjs';
import { fileCorpora } from './files.mjs';
import { generatedCorpora } from './generated.mjs';
import { multilingualCorpus } from './multilingual.mjs';

/**
 * A kind of text. `open(seed)` starts a stream of it; each `next(bytes)` gives about so many bytes that no earlier call
 * gave. A stream gives the same texts for the same seed and sizes. A text is a list of strings to be counted one by one.
 * @typedef {{ name: string, title: string, supplyBytes: number, open(seed: number): { next(bytes: number): string[] } }} Corpus
 */

/** @type {readonly Corpus[]} */
export const CORPORA = [...attachmentCorpora, ...fileCorpora, multilingualCorpus, ...generatedCorpora];

/** @param {string} name */
export function corpus(name) {
  const found = CORPORA.find((one) => one.name === name);
  if (!found)
    throw new RangeError(`no corpus ${name}; there are ${CORPORA.map((one) => one.name).join(', ')}`);
  return found;
}

/** @param {readonly string[]} texts */
export function byteLength(texts) {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
