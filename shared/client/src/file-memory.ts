import { createHash } from 'node:crypto';
import type { JsonObject } from '@preflight/core';

/** A file of a request, as it travels apart from it. */
export interface ClientFile {
  /** As references write it: `sha256:…`. */
  readonly digest: string;
  readonly byteLength: number;
  /** Of a data URI. */
  readonly mimeType: string | undefined;
  /** The bytes, decoded anew each time, since they are needed once. */
  bytes(): Buffer;
}

/** The usual head of a data URI with base64 in it. Others are sent as they are. */
const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+);base64,/;

/**
 * Files that were digested before, by the object in which they stand: a conversation that grows is sent again and again
 * with the same messages, and its files are decoded and digested once. Keeps nothing alive.
 */
export class FileMemory {
  readonly #known = new WeakMap<
    JsonObject,
    { readonly text: string; readonly file: ClientFile | undefined }
  >();

  /** The file whose base64 the text is; undefined if it cannot be told by bytes, because the base64 is another than they have. */
  fileOf(text: string, holder: JsonObject, isDataUri: boolean): ClientFile | undefined {
    const known = this.#known.get(holder);
    if (known !== undefined && known.text === text) return known.file;
    const file = readFile(text, isDataUri);
    this.#known.set(holder, { text, file });
    return file;
  }
}

function readFile(text: string, isDataUri: boolean): ClientFile | undefined {
  const head = isDataUri ? DATA_URI.exec(text) : undefined;
  if (head === null) return undefined;
  const base64 = text.slice(head?.[0].length ?? 0);
  const decode = () => Buffer.from(base64, 'base64');
  const bytes = decode();
  if (bytes.toString('base64') !== base64) return undefined;
  return {
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    byteLength: bytes.length,
    mimeType: head?.[1],
    bytes: decode,
  };
}
