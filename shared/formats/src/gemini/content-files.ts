import { isAbsent, isObject, type Json, type JsonObject } from '@preflight/core';
import { changedField, changedItems } from '../changed.js';
import { type ReplaceFile, replacePartFiles } from '../chat/files.js';
import type { FileField } from '../files/file-fields.js';
import { type SpelledName, spelledField, spellingIn, spellingsOf } from './spelling.js';

/** Where parts carry a file (formats.md §1). */
export const PART_FILE_FIELDS: readonly FileField[] = spellingsOf('inlineData').map((name) => ({
  path: [name, 'data'],
  form: 'base64',
}));

/** Whether a part is a file, or refers to one. */
export function isFile(part: JsonObject): boolean {
  const has = (name: SpelledName) => isObject(spelledField(part, name));
  const isElse = !isAbsent(part.text) || has('functionCall') || has('functionResponse');
  return !isElse && (has('inlineData') || has('fileData'));
}

/** A request with something else in place of the files in its parts, and in those of what functions answered. */
export function replaceContentFiles(request: JsonObject, replace: ReplaceFile): JsonObject {
  return changedField(request, 'contents', (contents) =>
    changedItems(contents, (content) => replaceInParts(content)),
  );

  function replaceInParts(holder: Json): Json {
    if (!isObject(holder)) return holder;
    return changedField(holder, 'parts', (parts) => changedItems(parts, replaceInPart));
  }

  function replaceInPart(part: Json): Json {
    if (!isObject(part)) return part;
    const withFiles = replacePartFiles(part, PART_FILE_FIELDS, replace) as JsonObject;
    return changedField(withFiles, spellingIn(part, 'functionResponse'), replaceInParts);
  }
}
