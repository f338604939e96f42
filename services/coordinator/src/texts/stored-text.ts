import { derivedFilename } from '@preflight/accounting';
import {
  BlobPiece,
  type BlobRef,
  type Countable,
  type Piece,
  PreflightError,
  type Referring,
  TextRange,
} from '@preflight/core';
import type { Pool } from '@preflight/pool';
import type { CountKey, Digest, PayloadStore } from '@preflight/storage';
import type { KeyedText, TextDigest } from './keyed-text.js';

/** A long text that lies in the payload store: all that is known of it until somebody has to read it. */
export class StoredText {
  constructor(
    /** SHA-256 of its bytes, in hex. */
    readonly digest: Digest,
    readonly byteLength: number,
  ) {}
}

/** A piece of a countable whose text may be stored. */
export type StoredPiece =
  | Referring[number]
  | StoredText
  | { readonly text: StoredText; readonly as: 'json' | 'base64' };

/** The stored texts and files of one job, each fetched once, and only when it is asked for. */
export class StoredTexts {
  readonly #pool: Pool;
  readonly #payloads: PayloadStore;
  readonly #ranges = new Map<string, Promise<TextRange>>();

  constructor({ pool, payloads }: { pool: Pool; payloads: PayloadStore }) {
    this.#pool = pool;
    this.#payloads = payloads;
  }

  /** Rejects with `storage_unavailable` if the text is not there, or not any more. */
  text({ digest, byteLength }: StoredText): Promise<TextRange> {
    return this.#once(digest, async () => {
      const bytes = await this.#payloads.get(digest);
      if (bytes?.length !== byteLength)
        throw new PreflightError('storage_unavailable', { internalDetail: `payload ${digest} is gone` });
      return new TextRange(bytes.buffer, bytes.byteOffset, bytes.byteOffset + bytes.length);
    });
  }

  /** Rejects with `unknown_digests` if the file is not there any more, `invalid_request` if its size is another. */
  base64({ sha256, byteLength }: BlobRef): Promise<TextRange> {
    return this.#once(`base64 ${sha256}`, async () => {
      const bytes = await this.#payloads.get(sha256);
      if (bytes === undefined) throw unknownDigests([sha256]);
      if (bytes.length !== byteLength)
        throw otherSize(sha256, { saidBytes: byteLength, bytes: bytes.length });
      const { buffer, byteOffset } = bytes;
      return this.#pool.base64(new TextRange(buffer, byteOffset, byteOffset + bytes.length));
    });
  }

  #once(name: string, fetch: () => Promise<TextRange>): Promise<TextRange> {
    let range = this.#ranges.get(name);
    if (range === undefined) {
      range = fetch();
      this.#ranges.set(name, range);
    }
    return range;
  }
}

/** The digests as requests write them. */
export function unknownDigests(digests: readonly Digest[]): PreflightError {
  return new PreflightError('unknown_digests', { missing: digests.map((digest) => `sha256:${digest}`) });
}

function otherSize(
  digest: Digest,
  { saidBytes, bytes }: { saidBytes: number; bytes: number },
): PreflightError {
  return new PreflightError('invalid_request', {
    publicDetail: `The attachment sha256:${digest} has ${bytes} bytes, and the request says ${saidBytes}.`,
    params: { bytes, said_bytes: saidBytes },
  });
}

/** A text of which pieces are stored. */
export class StoredCountable implements KeyedText {
  readonly #stored: StoredTexts;

  constructor(
    readonly key: CountKey,
    readonly pieces: readonly StoredPiece[],
    stored: StoredTexts,
    /** What the key is made of. */
    readonly digest: TextDigest,
  ) {
    this.#stored = stored;
  }

  /** The files in it, by digest; they are those of the caller, who can send them again. */
  get blobs(): Digest[] {
    return this.pieces.flatMap((piece) => (piece instanceof BlobPiece ? [piece.blob.sha256] : []));
  }

  read(): Promise<Countable> {
    return Promise.all(this.pieces.map((piece) => this.#readPiece(piece)));
  }

  async #readPiece(piece: StoredPiece): Promise<Piece> {
    if (piece instanceof StoredText) return this.#stored.text(piece);
    if (typeof piece === 'string' || piece instanceof TextRange) return piece;
    if (!(piece instanceof BlobPiece)) {
      const { text, as } = piece;
      return { text: text instanceof StoredText ? await this.#stored.text(text) : text, as };
    }
    const base64 = await this.#stored.base64(piece.blob);
    return piece.as === 'base64' ? { text: base64, as: 'base64' } : derivedFilename(base64);
  }
}
