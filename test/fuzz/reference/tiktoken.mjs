import { Tiktoken as Encoding, get_encoding } from 'tiktoken';
import { shippedName } from './ranks.mjs';

const encoder = new TextEncoder();

/**
 * npm tiktoken, which everything is measured by. Quadratic in the length of a piece: not for long ones.
 */
export class Tiktoken {
  #encoding;
  /** Bytes of each token, as far as they were asked for: asking tiktoken is slow. @type {number[]} */
  #tokenBytes = [];

  #isNormalized;

  /**
   * @param {string} encoding
   * @param {import('./tokenizer-json.mjs').NamedEncoding} [named] what it is made of, if tiktoken does not ship it
   */
  constructor(encoding, named) {
    this.#isNormalized = named?.isNormalized ?? false;
    this.#encoding =
      named === undefined
        ? get_encoding(/** @type {import('tiktoken').TiktokenEncoding} */ (shippedName(encoding)))
        : new Encoding(named.rankData, {}, named.pattern);
  }

  /** A lone surrogate counts as U+FFFD. @param {string} text */
  count(text) {
    const wellFormed = text.toWellFormed();
    return this.#encoding.encode_ordinary(this.#isNormalized ? wellFormed.normalize('NFC') : wellFormed)
      .length;
  }

  /**
   * The text as bytes, and where each of its tokens ends in them.
   * @param {string} text
   */
  encode(text) {
    const bytes = encoder.encode(text);
    const tokens = this.#encoding.encode_ordinary(text.toWellFormed());
    const ends = new Uint32Array(tokens.length);
    let end = 0;
    for (let i = 0; i < tokens.length; i++) {
      end += this.#bytesOf(tokens[i]);
      ends[i] = end;
    }
    if (end !== bytes.length) throw new Error('the tokens do not spell the text');
    return { bytes, ends };
  }

  /** @param {number} token */
  #bytesOf(token) {
    this.#tokenBytes[token] ??= this.#encoding.decode_single_token_bytes(token).length;
    return this.#tokenBytes[token];
  }
}
