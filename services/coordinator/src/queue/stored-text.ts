import { type Countable, type Piece, PreflightError, TextRange } from '@preflight/core';
import type { CountKey, Digest, PayloadStore } from '@preflight/storage';
import type { KeyedText } from '../keyed-text.js';

/** A long text that lies in the payload store: all that is known of it until somebody has to read it. */
export class StoredText {
  constructor(
    /** SHA-256 of its bytes, in hex. */
    readonly digest: Digest,
    readonly byteLength: number,
  ) {}
}

/** A piece of a countable whose text may be stored. */
export type StoredPiece = Piece | StoredText | { readonly text: StoredText; readonly as: 'json' | 'base64' };

/** The stored texts of one job, each fetched once, and only when it is asked for. */
export class StoredTexts {
  readonly #payloads: PayloadStore;
  readonly #ranges = new Map<Digest, Promise<TextRange>>();

  constructor(payloads: PayloadStore) {
    this.#payloads = payloads;
  }

  /** Rejects with `storage_unavailable` if the text is not there, or not any more. */
  range(text: StoredText): Promise<TextRange> {
    let range = this.#ranges.get(text.digest);
    if (range === undefined) {
      range = this.#fetch(text);
      this.#ranges.set(text.digest, range);
    }
    return range;
  }

  async #fetch({ digest, byteLength }: StoredText): Promise<TextRange> {
    const bytes = await this.#payloads.get(digest);
    if (bytes?.length !== byteLength)
      throw new PreflightError('storage_unavailable', { internalDetail: `payload ${digest} is gone` });
    return new TextRange(bytes.buffer, bytes.byteOffset, bytes.byteOffset + bytes.length);
  }
}

/** A text of which pieces are stored. */
export class StoredCountable implements KeyedText {
  readonly #pieces: readonly StoredPiece[];
  readonly #stored: StoredTexts;

  constructor(
    readonly key: CountKey,
    pieces: readonly StoredPiece[],
    stored: StoredTexts,
  ) {
    this.#pieces = pieces;
    this.#stored = stored;
  }

  read(): Promise<Countable> {
    return Promise.all(this.#pieces.map((piece) => this.#readPiece(piece)));
  }

  async #readPiece(piece: StoredPiece): Promise<Piece> {
    if (piece instanceof StoredText) return this.#stored.range(piece);
    if (typeof piece === 'string' || piece instanceof TextRange) return piece;
    const { text, as } = piece;
    return { text: text instanceof StoredText ? await this.#stored.range(text) : text, as };
  }
}
