import {
  type Attachment,
  BlobText,
  type FileFault,
  isObject,
  isText,
  type JsonObject,
  type MediaPart,
  type PartJson,
  type PartObject,
  type TextRef,
} from '@preflight/core';
import type { IssueList } from '../issue-list.js';
import { type Path, valueAt } from '../value-at.js';
import { partWithBlobs } from './blob-references.js';
import type { FileField } from './file-fields.js';
import { faultOfFile } from './file-start.js';

/** What a part says of the file in it, beside the file. */
export type MediaWords = Omit<MediaPart, 'data' | 'reference'>;

/**
 * A content part that counts as an attachment. `words` says what is in it; undefined where that is nothing that a
 * provider looks at, or more than one thing, so that the part counts as the text that it travels as.
 */
export function attachedPart(
  part: JsonObject,
  fields: readonly FileField[],
  words: MediaWords | undefined,
  place: { readonly pointer: string; readonly issues: IssueList },
): Attachment {
  const read = partWithBlobs(part, fields, place);
  const attached = { kind: 'part', part: read, ...(read !== part && { given: part }) } as const;
  if (words === undefined) return attached;
  const data = fileIn(read, fields);
  const reference = data === undefined ? referenceIn(part, fields) : undefined;
  const reason = faultIn(read, fields, words);
  return {
    ...attached,
    media: {
      ...words,
      ...(data !== undefined && { data }),
      ...(reference !== undefined && { reference }),
      ...(reason && { fault: { reason, pointer: place.issues.place(place.pointer) } }),
    },
  };
}

/** What is wrong with the first file in a part. */
function faultIn(
  part: PartObject,
  fields: readonly FileField[],
  { kind, mimeType }: MediaWords,
): FileFault['reason'] | undefined {
  for (const { path, form, takesUri } of fields) {
    const value = partAt(part, path);
    if (value instanceof BlobText) return value.blob.byteLength === 0 ? 'empty' : undefined;
    if (value === '' || isFileText(value)) return faultOfFile(value, { form, takesUri, kind, mimeType });
  }
  return undefined;
}

/** Names under which parts say where the provider finds a file, beside the fields of files themselves (formats.md §1). */
const REFERENCE_NAMES: ReadonlySet<string> = new Set([
  'url',
  'uri',
  'image_url',
  'file_url',
  'file_id',
  'fileId',
  'fileUri',
  'file_uri',
]);

/** Such names stand in the part, in the object that says its kind, or in the source in that. */
const REFERENCE_DEPTH = 4;

function referenceIn(part: JsonObject, fields: readonly FileField[]): TextRef | undefined {
  const inFields = fields.map(({ path }) => valueAt(part, path)).find(isReference);
  return inFields ?? named(part, REFERENCE_DEPTH);
}

function isReference(value: unknown): value is TextRef {
  return isText(value) && value !== '';
}

function named(object: JsonObject, depth: number): TextRef | undefined {
  if (depth === 0) return undefined;
  for (const [name, value] of Object.entries(object)) {
    if (isReference(value) && REFERENCE_NAMES.has(name)) return value;
    const inner = isObject(value) ? named(value, depth - 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function fileIn(part: PartObject, fields: readonly FileField[]): MediaPart['data'] {
  for (const { path } of fields) {
    const value = partAt(part, path);
    if (value instanceof BlobText || isFileText(value)) return value;
  }
  return undefined;
}

function partAt(part: PartJson, path: Path): PartJson | undefined {
  return path.reduce<PartJson | undefined>(
    (inner, name) => (isObject(inner) && !(inner instanceof BlobText) ? inner[name] : undefined),
    part,
  );
}

/** Schemes of URLs are shorter. */
const SCHEME_BYTES = 32;

/** Whether a text is a file, as a data URI or as base64, and not a URL of one. */
export function isFileText(value: PartJson | undefined): value is TextRef {
  if (!isText(value)) return false;
  const start = asciiStart(value, SCHEME_BYTES);
  return start !== '' && (start.startsWith('data:') || !start.includes(':'));
}

const latin1 = new TextDecoder('latin1');

/** The first bytes of a text, in lower case; what is not ASCII comes as some other character. */
export function asciiStart(text: TextRef, lengthBytes: number): string {
  const start =
    typeof text === 'string'
      ? text.slice(0, lengthBytes)
      : latin1.decode(text.prefix(Math.min(lengthBytes, text.byteLength)).bytes().slice());
  return start.toLowerCase();
}

/** A word beside a file; nothing where there is none. */
export function word<Name extends 'mimeType' | 'detail'>(
  name: Name,
  value: unknown,
): { readonly [Field in Name]?: string } {
  return (typeof value === 'string' && value !== '' ? { [name]: value } : {}) as {
    readonly [Field in Name]?: string;
  };
}

/** Texts of a document that stand in the request; nothing where there are none. */
export function texts(...values: readonly unknown[]): Pick<MediaPart, 'texts'> {
  const found = values.filter(isText);
  return found.length === 0 ? {} : { texts: found };
}

/**
 * The texts of a document that is given as a list of blocks; undefined if there are blocks among them that are no text.
 */
export function textsOfBlocks(content: unknown): readonly TextRef[] | undefined {
  if (isText(content)) return [content];
  if (!Array.isArray(content)) return undefined;
  const found = content.map((block) => (isObject(block) ? block.text : undefined));
  return found.every(isText) ? found : undefined;
}
