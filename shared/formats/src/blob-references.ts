import {
  type BlobRef,
  BlobText,
  isAbsent,
  isObject,
  type Json,
  type JsonObject,
  type PartObject,
} from '@preflight/core';
import { FILE_FIELDS } from './file-fields.js';
import type { IssueList } from './issue-list.js';

/**
 * A content part, with the text that is meant in place of each reference to a file that came apart from the request
 * (`{"digest":"sha256:…","bytes":n,"mime_type":"…"}` where the data URI or base64 would stand).
 */
export function partWithBlobs(part: JsonObject, pointer: string, issues: IssueList): PartObject {
  let read: PartObject = part;
  for (const { holder, field, form } of FILE_FIELDS) {
    const held = part[holder];
    if (!isObject(held)) continue;
    const place = `${pointer}/${holder}/${field}`;
    const reference = readFileReference(held[field], place, issues);
    if ('digest' in held) issues.add(`${pointer}/${holder}/digest`, `must stand in \`${field}\``);
    if (reference === undefined) continue;
    const { blob, mimeType } = reference;
    const isDataUri = form === 'data_uri';
    const isMissing = isObject(held[field]) && isAbsent(held[field].mime_type);
    if (isDataUri && isMissing) issues.add(`${place}/mime_type`, 'is required in a data URI');
    const before = isDataUri ? `data:${mimeType};base64,` : '';
    read = { ...read, [holder]: { ...held, [field]: new BlobText(blob, before) } };
  }
  return read;
}

export interface FileReference {
  readonly blob: BlobRef;
  readonly mimeType: string | undefined;
}

/** SHA-256 of no bytes. A file said to be empty is not looked up, so that nothing else would tell that it is not. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const DIGEST = /^sha256:([0-9a-f]{64})$/;

/** What stands in place of the base64 of a file, if that is an object; notes what is wrong with it. */
export function readFileReference(
  value: Json | undefined,
  pointer: string,
  issues: IssueList,
): FileReference | undefined {
  if (!isObject(value)) return undefined;
  const digest = issues.readShortText(value.digest, `${pointer}/digest`) ?? '';
  const sha256 = DIGEST.exec(digest)?.[1];
  if (sha256 === undefined)
    issues.add(`${pointer}/digest`, 'must be `sha256:` and 64 hexadecimal digits in lower case');
  const { bytes } = value;
  const isSize =
    typeof bytes === 'number' &&
    Number.isSafeInteger(bytes) &&
    (bytes > 0 || (bytes === 0 && sha256 === EMPTY_SHA256));
  if (!isSize) issues.add(`${pointer}/bytes`, 'must be the size of the file in bytes');
  const mimeType = issues.readShortText(value.mime_type, `${pointer}/mime_type`);
  for (const name of Object.keys(value))
    if (!REFERENCE_FIELDS.has(name)) issues.add(pointer, 'has a field that a reference to a file has not');
  return { blob: { sha256: sha256 ?? '', byteLength: isSize ? bytes : 0 }, mimeType };
}

const REFERENCE_FIELDS: ReadonlySet<string> = new Set(['digest', 'bytes', 'mime_type']);
