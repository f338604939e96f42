import { isObject, type Json, type JsonObject } from '@preflight/core';
import { changedAt, changedField, changedItems } from '../changed.js';
import { CHAT_FILE_FIELDS, type FileField, type FileForm } from '../files/file-fields.js';

/** What is to stand where a file stands; the same value leaves it as it is. `holder` is the object around it. */
export type ReplaceFile = (
  value: Json,
  place: { readonly form: FileForm; readonly holder: JsonObject },
) => Json;

/**
 * A chat request, with something else in place of files that count: in parts of user messages, and in `files` beside
 * the content. The given one is never changed, and unchanged parts are shared.
 */
export function replaceChatFiles(request: JsonObject, replace: ReplaceFile): JsonObject {
  return changedField(request, 'messages', (messages) => changedItems(messages, replaceInMessage));

  function replaceInMessage(message: Json): Json {
    if (!isObject(message) || message.role !== 'user') return message;
    const withParts = changedField(message, 'content', (content) =>
      changedItems(content, (part) => replacePartFiles(part, CHAT_FILE_FIELDS, replace)),
    );
    return changedField(withParts, 'files', (files) =>
      changedItems(files, (file) => replacePartFiles(file, LANGROID_FILE_FIELDS, replace)),
    );
  }
}

const LANGROID_FILE_FIELDS: readonly FileField[] = [{ path: ['content_base64'], form: 'base64' }];

/** A content part with something else in place of the files in it. */
export function replacePartFiles(part: Json, fields: readonly FileField[], replace: ReplaceFile): Json {
  if (!isObject(part)) return part;
  return fields.reduce(
    (changed, { path, form }) =>
      changedAt(changed, path, (value, holder) => replace(value, { form, holder })),
    part,
  );
}
