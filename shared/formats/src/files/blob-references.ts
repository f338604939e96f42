import {
  type BlobRef,
  BlobText,
  isAbsent,
  isObject,
  type Json,
  type JsonObject,
  type PartObject,
} from '@preflight/core';
import { changedAt } from '../changed.js';
import type { IssueList } from '../issue-list.js';
import type { FileField } from './file-fields.js';

/**
 * A content part, with the text that is meant in place of each reference to a file that came apart from the request
 * (`{"digest":"sha256:…","bytes":n,"mime_type":"…"}` where the data URI or base64 would stand, in one of `fields`).
 */
export function partWithBlobs(
  part: JsonObject,
  fields: readonly FileField[],
  { pointer, issues }: { readonly pointer: string; readonly issues: IssueList },
): PartObject {
  let read: PartObject = part;
  for (const { path, form } of fields) {
    const holder = holderAt(part, path);
    if (holder === undefined) continue;
    const place = [pointer, ...path].join('/');
    const field = path.at(-1) as string;
    if ('digest' in holder)
      issues.add(`${place.slice(0, -field.length)}digest`, `must stand in \`${field}\``);
    const value = holder[field];
    const reference = readFileReference(value, place, issues);
    if (reference === undefined) continue;
    const { blob, mimeType } = reference;
    const isDataUri = form === 'data_uri';
    if (isDataUri && isObject(value) && isAbsent(value.mime_type))
      issues.add(`${place}/mime_type`, 'is required in a data URI');
    read = changedAt(read, path, () => new BlobText(blob, isDataUri ? `data:${mimeType};base64,` : ''));
  }
  return read;
}

/** The object in which the last name of a path is a field, if it is there. */
function holderAt(
  object: JsonObject,
  [name, ...rest]: readonly [string, ...string[]],
): JsonObject | undefined {
  const [next, ...others] = rest;
  if (next === undefined) return object;
  const inner = object[name];
  return isObject(inner) ? holderAt(inner, [next, ...others]) : undefined;
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
