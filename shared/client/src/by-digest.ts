import { isObject, type Json, type JsonObject } from '@preflight/core';
import type { Format } from '@preflight/formats';
import type { ClientFile, FileMemory } from './file-memory.js';

/** A request whose large files are named by digest, and what is needed to send and to restore them. */
export interface ByDigest {
  readonly request: JsonObject;
  /** By digest, as references write it. */
  readonly files: ReadonlyMap<string, ClientFile>;
  /** The same value with the texts of the request in place of references to its files. */
  restore(request: JsonObject): JsonObject;
}

/** Names files from `minBytes` of text on by digest. */
export function byDigest(
  format: Format,
  given: JsonObject,
  { memory, minBytes }: { memory: FileMemory; minBytes: number },
): ByDigest {
  const files = new Map<string, ClientFile>();
  const texts = new Map<string, string>();
  const request = format.replaceFiles(given, (value, { form, holder }) => {
    if (typeof value !== 'string' || value.length < minBytes) return value;
    const file = memory.fileOf(value, holder, form === 'data_uri');
    if (file === undefined) return value;
    files.set(file.digest, file);
    texts.set(nameOf(file.digest, file.mimeType), value);
    const { digest, byteLength, mimeType } = file;
    return { digest, bytes: byteLength, ...(mimeType === undefined ? {} : { mime_type: mimeType }) };
  });
  const restore = (edited: JsonObject) =>
    format.replaceFiles(edited, (value) =>
      isObject(value) ? (texts.get(nameOf(value.digest, value.mime_type)) ?? value) : value,
    );
  return { request, files, restore };
}

function nameOf(digest: Json | undefined, mimeType: Json | undefined): string {
  return `${digest} ${mimeType ?? ''}`;
}
