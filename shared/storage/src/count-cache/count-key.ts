import { createHash } from 'node:crypto';

declare const kind: unique symbol;

/** The key of a text by its digest: always 41 characters, each of them a byte. */
export type DigestKey = string & { readonly [kind]: 'digest' };

/** The key of a small text by itself: found without hashing, but fit for the memory of one process only. */
export type TextKey = string & { readonly [kind]: 'text' };

export type CountKey = DigestKey | TextKey;

/**
 * Texts below this are keyed by themselves: hashing and fetching them costs more than counting.
 */
export const TEXT_KEY_LIMIT_BYTES = 1024;

export type Writing = 'interior' | 'reference';

/** What a count depends on besides the text. */
export interface CountKeyScope {
  /** Such as `o200k_base`. */
  readonly encoding: string;
  /** Names the ranks and rules of the encoding: another vocabulary has other counts. */
  readonly vocabularyVersion: string;
  /**
   * What the digest is of, if not of the text as it is counted. `interior`: of the payload that the text is the interior of;
   * `reference`: of the text with the digests of files in place of their base64.
   */
  readonly writing?: Writing;
}

/** To be raised whenever keys or their counts change meaning, so that older entries are never found again. */
const SCHEME_VERSION = 2;

const DIGEST_MARK = 'd';
const TEXT_MARK = 't';
const SCOPE_BYTES = 8;
const DIGEST_BYTES = 32;

/** Makes the keys of one encoding. */
export class CountKeys {
  readonly #digestPrefix: string;
  readonly #textPrefix: string;

  constructor({ encoding, vocabularyVersion, writing }: CountKeyScope) {
    const scope = createHash('sha256')
      .update(JSON.stringify([SCHEME_VERSION, encoding, vocabularyVersion, writing]))
      .digest()
      .toString('latin1', 0, SCOPE_BYTES);
    this.#digestPrefix = DIGEST_MARK + scope;
    this.#textPrefix = TEXT_MARK + scope;
  }

  /** The key of a text whose digest is given as 32 bytes or 64 hexadecimal digits. */
  ofDigest(digest: Uint8Array | string): DigestKey {
    const bytes = typeof digest === 'string' ? Buffer.from(digest, 'hex') : Buffer.from(digest);
    if (bytes.length !== DIGEST_BYTES) throw new RangeError(`a digest of ${bytes.length} bytes`);
    return (this.#digestPrefix + bytes.toString('latin1')) as DigestKey;
  }

  /** The key of a text of less than TEXT_KEY_LIMIT_BYTES bytes. */
  ofText(text: string): TextKey {
    return (this.#textPrefix + text) as TextKey;
  }
}

/** Whether a key may leave this process: that of a small text is the text itself. */
export function isDigestKey(key: CountKey): key is DigestKey {
  return key.startsWith(DIGEST_MARK);
}

/** The key as 41 bytes, for stores outside this process. */
export function bytesOfKey(key: DigestKey): Buffer {
  return Buffer.from(key, 'latin1');
}
