import {
  BlobPiece,
  BlobText,
  type Countable,
  type Referring,
  TextRange,
  type TextRef,
} from '@preflight/core';
import { escapeJson } from './escape-json.js';

/** Strings are joined up to this length, so that nobody ever has to copy more of them at once. */
const PIECE_LENGTH = 64 * 1024;
/** Characters that are written in one step, a value being as good as some: a millisecond, 6 where all are escaped. */
const STEP_LENGTH = 32 * 1024;
const VALUE_LENGTH = 16;

/** Puts a countable together, joining neighbouring strings, so that small texts make one piece. */
export class CountableWriter {
  readonly #pieces: Referring[number][] = [];
  #open = '';
  #stepLength = 0;

  /** Asked before each value: whether so much has been written that others should have their turn. */
  isStepOver(): boolean {
    this.#stepLength += VALUE_LENGTH;
    if (this.#stepLength < STEP_LENGTH) return false;
    this.#stepLength = 0;
    return true;
  }

  /** The text as it is. */
  write(text: TextRef): this {
    if (typeof text === 'string') this.#add(text);
    else this.#push(text);
    return this;
  }

  /** The inside of a JSON string. */
  writeEscaped(text: TextRef | BlobText): this {
    if (text instanceof BlobText) this.#writeBlob(text);
    else if (text instanceof TextRange) this.#push({ text, as: 'json' });
    else this.#add(escapeJson(text));
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
    this.#add(escapeJson(before));
    if (blob.byteLength > 0) this.#push(new BlobPiece(blob, 'base64'));
  }

  #add(text: string): void {
    this.#open += text;
    this.#stepLength += text.length;
    if (this.#open.length > PIECE_LENGTH) this.#close();
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
