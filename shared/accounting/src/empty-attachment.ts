import {
  type AttachedFile,
  type Attachment,
  BlobText,
  isObject,
  isText,
  type PartJson,
  type TextRef,
} from '@preflight/core';
import { isSentAsImage, webUrl } from './payload.js';
import { asciiStart } from './text-ends.js';

/**
 * Whether an attachment sends nothing: no bytes, nor where they are. It counts as it is written all the same, and is
 * flagged in the report (langroid-overflow §10.12).
 */
export function isEmptyAttachment(attachment: Attachment, modelName: string): boolean {
  if (attachment.kind === 'file') return isEmptyFile(attachment.file, modelName);
  return attachment.media?.fault?.reason === 'empty' || isEmptyPart(attachment.part);
}

function isEmptyFile(file: AttachedFile, modelName: string): boolean {
  const isUrlSent = isSentAsImage(file, modelName) && webUrl(file) !== undefined;
  return !isUrlSent && holdsNothing(file.contentBase64);
}

/** Where the parts of Chat Completions carry their bytes, or say where they are (formats.md §1). */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  image_url: ['url'],
  file: ['file_data', 'file_id'],
  input_audio: ['data'],
};

/** Parts of other kinds are not known well enough to call them empty. */
function isEmptyPart(part: PartJson): boolean {
  if (!isObject(part) || typeof part.type !== 'string' || !Object.hasOwn(SOURCES, part.type)) return false;
  const carrier = part[part.type];
  // Some clients write the text itself in place of the object around it.
  const sources = isObject(carrier) ? (SOURCES[part.type] ?? []).map((name) => carrier[name]) : [carrier];
  return sources.every(holdsNothing);
}

/** No more than the head of a data URI, and what base64 is decoded without: padding and white space. */
const NOTHING = /^(?:data:[^,]*,?)?[=\s]*$/i;

/** The first settles nearly all. Longer stretches of padding and white space than the last are not looked through. */
const LOOKED_AT_BYTES = [256, 65_536];

function holdsNothing(source: PartJson | undefined): boolean {
  if (source instanceof BlobText) return source.blob.byteLength === 0;
  if (!isText(source)) return true;
  return LOOKED_AT_BYTES.every((length) => NOTHING.test(asciiStart(source, length))) && !isLonger(source);
}

function isLonger(text: TextRef): boolean {
  return (typeof text === 'string' ? text.length : text.byteLength) > Math.max(...LOOKED_AT_BYTES);
}
