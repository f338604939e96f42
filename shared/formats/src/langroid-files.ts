import type { AttachedFile, Attachment, JsonObject } from '@preflight/core';
import type { IssueList } from './issue-list.js';

/** The `files` of a user message; how they are serialized is a matter of accounting (langroid-overflow §7). */
export function readLangroidFiles(
  message: JsonObject,
  messagePointer: string,
  issues: IssueList,
): readonly Attachment[] {
  const files = issues.readObjects(message.files, `${messagePointer}/files`) ?? [];
  return files.map((file, index) => ({
    kind: 'file',
    file: readFile(file, `${messagePointer}/files/${index}`, issues),
  }));
}

function readFile(file: JsonObject, pointer: string, issues: IssueList): AttachedFile {
  const contentBase64 = issues.readText(file.content_base64, `${pointer}/content_base64`);
  const filename = issues.readShortText(file.filename, `${pointer}/filename`);
  const mimeType = issues.readShortText(file.mime_type, `${pointer}/mime_type`);
  const url = issues.readText(file.url, `${pointer}/url`);
  const detail = issues.readShortText(file.detail, `${pointer}/detail`);
  return {
    ...(contentBase64 === undefined ? {} : { contentBase64 }),
    ...(filename === undefined ? {} : { filename }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(url === undefined ? {} : { url }),
    ...(detail === undefined ? {} : { detail }),
  };
}
