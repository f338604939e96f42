import { type AttachedFile, type Attachment, BlobText, type JsonObject, type Steps } from '@preflight/core';
import { readFileReference } from './blob-references.js';
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
    attachments.push({ kind: 'file', file: readFile(file, pointer, issues), pointer: issues.place(pointer) });
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
