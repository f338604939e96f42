import {
  BlobPiece,
  BlobText,
  type Countable,
  type Referring,
  TextRange,
  type TextRef,
} from '@preflight/core';
import { escapeJson } from './escape-json.js';

/** Puts a countable together, joining neighbouring strings, so that small texts make one piece. */
export class CountableWriter {
  readonly #pieces: Referring[number][] = [];
  #open = '';

  /** The text as it is. */
  write(text: TextRef): this {
    if (typeof text === 'string') this.#open += text;
    else this.#push(text);
    return this;
  }

  /** The inside of a JSON string. */
  writeEscaped(text: TextRef | BlobText): this {
    if (text instanceof BlobText) this.#writeBlob(text);
    else if (text instanceof TextRange) this.#push({ text, as: 'json' });
    else this.#open += escapeJson(text);
    return this;
  }

  /** Bytes as canonical base64. Always a piece of its own, so that only threads judge what is base64. */
  writeBase64(text: TextRef | BlobText): this {
    if (text instanceof BlobText) this.#writeBlob(text);
    else if (text !== '') this.#push({ text, as: 'base64' });
    return this;
  }

  /** What a blob makes, once it is read. */
  writeMadeOf(piece: BlobPiece): this {
    this.#push(piece);
    return this;
  }

  /** Of texts that are all here. */
  finish(): Countable {
    return this.finishReferring() as Countable;
  }

  /** Of texts that may be those of files which lie elsewhere. */
  finishReferring(): Referring {
    this.#close();
    return this.#pieces;
  }

  #writeBlob({ blob, before }: BlobText): void {
    this.#open += escapeJson(before);
    if (blob.byteLength > 0) this.#push(new BlobPiece(blob, 'base64'));
  }

  #push(piece: Referring[number]): void {
    this.#close();
    this.#pieces.push(piece);
  }

  #close(): void {
    if (this.#open !== '') this.#pieces.push(this.#open);
    this.#open = '';
  }
}
