import { isObject, type Json, type JsonObject } from '@preflight/core';
import { FILE_FIELDS, type FileForm } from './file-fields.js';

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
  return changedField(request, 'messages', (messages) => eachItem(messages, replaceInMessage));

  function replaceInMessage(message: Json): Json {
    if (!isObject(message) || message.role !== 'user') return message;
    const withParts = changedField(message, 'content', (content) => eachItem(content, replaceInPart));
    return changedField(withParts, 'files', (files) => eachItem(files, replaceInFile));
  }

  function replaceInPart(part: Json): Json {
    if (!isObject(part)) return part;
    return FILE_FIELDS.reduce(
      (changed, { holder, field, form }) =>
        changedField(changed, holder, (held) => (isObject(held) ? replaceIn(held, field, form) : held)),
      part,
    );
  }

  function replaceInFile(file: Json): Json {
    return isObject(file) ? replaceIn(file, 'content_base64', 'base64') : file;
  }

  function replaceIn(holder: JsonObject, field: string, form: FileForm): JsonObject {
    return changedField(holder, field, (value) => replace(value, { form, holder }));
  }
}

function changedField(object: JsonObject, field: string, change: (value: Json) => Json): JsonObject {
  const given = object[field];
  if (given === undefined) return object;
  const changed = change(given);
  return changed === given ? object : { ...object, [field]: changed };
}

function eachItem(list: Json, change: (item: Json) => Json): Json {
  if (!Array.isArray(list)) return list;
  const changed = list.map(change);
  return changed.some((item, i) => item !== list[i]) ? changed : list;
}
