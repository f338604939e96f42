import { type Countable, type Piece, TextRange, type TextRef } from '@preflight/core';
import { escapeJson } from './escape-json.js';

/** Puts a countable together, joining neighbouring strings, so that small texts make one piece. */
export class CountableWriter {
  readonly #pieces: Piece[] = [];
  #open = '';

  /** The text as it is. */
  write(text: TextRef): this {
    if (typeof text === 'string') this.#open += text;
    else this.#push(text);
    return this;
  }

  /** The inside of a JSON string. */
  writeEscaped(text: TextRef): this {
    if (text instanceof TextRange) this.#push({ text, as: 'json' });
    else this.#open += escapeJson(text);
    return this;
  }

  /** Bytes as canonical base64. Always a piece of its own, so that only threads judge what is base64. */
  writeBase64(text: TextRef): this {
    if (text !== '') this.#push({ text, as: 'base64' });
    return this;
  }

  finish(): Countable {
    this.#close();
    return this.#pieces;
  }

  #push(piece: Piece): void {
    this.#close();
    this.#pieces.push(piece);
  }

  #close(): void {
    if (this.#open !== '') this.#pieces.push(this.#open);
    this.#open = '';
  }
}
