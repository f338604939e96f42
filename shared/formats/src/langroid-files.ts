import {
  type AttachedFile,
  type Attachment,
  BlobText,
  type FileFault,
  type JsonObject,
  type MediaPart,
  mediaKindOfType,
  type Steps,
} from '@preflight/core';
import { readFileReference } from './files/blob-references.js';
import { faultOfFile, type StatedFile } from './files/file-start.js';
import { asciiStart, isFileText, word } from './files/media-part.js';
import type { IssueList } from './issue-list.js';
import { STEP_ITEMS } from './step-items.js';

type Draft = { -readonly [Field in keyof AttachedFile]: AttachedFile[Field] };

/** The `files` of a user message; how they are serialized is a matter of accounting (langroid-overflow §7). */
export function* readLangroidFiles(message: JsonObject, issues: IssueList): Steps<readonly Attachment[]> {
  const files = issues.readObjects(message.files, '/files') ?? [];
  const attachments: Attachment[] = [];
  for (const [index, file] of files.entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const pointer = `/files/${index}`;
    const read = readFile(file, pointer, issues);
    const place = issues.place(pointer);
    attachments.push({ kind: 'file', file: read, pointer: place, media: mediaOf(read, place) });
  }
  return attachments;
}

function readFile(file: JsonObject, pointer: string, issues: IssueList): AttachedFile {
  const reference = readFileReference(file.content_base64, `${pointer}/content_base64`, issues);
  const contentBase64 = reference
    ? new BlobText(reference.blob, '')
    : issues.readText(file.content_base64, `${pointer}/content_base64`);
  const filename = issues.readShortText(file.filename, `${pointer}/filename`);
  const mimeType = issues.readShortText(file.mime_type, `${pointer}/mime_type`) ?? reference?.mimeType;
  const url = issues.readText(file.url, `${pointer}/url`);
  const detail = issues.readShortText(file.detail, `${pointer}/detail`);
  const attached: Draft = {};
  if (contentBase64 !== undefined) attached.contentBase64 = contentBase64;
  if (filename !== undefined) attached.filename = filename;
  if (mimeType !== undefined) attached.mimeType = mimeType;
  if (url !== undefined) attached.url = url;
  if (detail !== undefined) attached.detail = detail;
  return attached;
}

/** The file itself goes along only where it has no URL, which is sent in its place (langroid-overflow §7). */
function mediaOf({ contentBase64, mimeType, url, detail }: AttachedFile, pointer: string): MediaPart {
  const kind = mimeType === undefined ? undefined : mediaKindOfType(mimeType);
  const isHere = contentBase64 instanceof BlobText || isFileText(contentBase64);
  const isByUrl = kind === 'image' && url !== undefined && /^https?:\/\//.test(asciiStart(url, 8));
  // Whether a URL is sent in its place is a matter of the model.
  const isElsewhere = isByUrl || (contentBase64 === undefined && url !== undefined);
  const reason = isElsewhere
    ? undefined
    : faultOf(contentBase64, { form: 'base64', takesUri: true, kind, mimeType });
  return {
    ...(kind && { kind }),
    ...word('mimeType', mimeType),
    ...word('detail', detail),
    ...(isHere && !isByUrl && { data: contentBase64 }),
    ...(reason && { fault: { reason, pointer } }),
    ...(url !== undefined && (isByUrl || !isHere) && { reference: url }),
  };
}

function faultOf(
  content: AttachedFile['contentBase64'],
  stated: StatedFile,
): FileFault['reason'] | undefined {
  if (content === undefined) return 'empty';
  if (content instanceof BlobText) return content.blob.byteLength === 0 ? 'empty' : undefined;
  return faultOfFile(content, stated);
}
