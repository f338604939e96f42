import { isObject, type Json, type JsonObject } from '@preflight/core';
import { changedField, changedItems } from '../changed.js';
import { type ReplaceFile, replacePartFiles } from '../chat/files.js';
import type { FileField } from '../files/file-fields.js';
import { contentFieldOf, kindOf } from './item-kind.js';

/** Where parts of Responses carry a file (formats.md §1). */
export const ITEM_FILE_FIELDS: readonly FileField[] = [
  { path: ['image_url'], form: 'data_uri' },
  { path: ['file_data'], form: 'data_uri' },
];

/** Where an item that is an image has it. */
export const MADE_IMAGE_FIELDS: readonly FileField[] = [{ path: ['result'], form: 'base64' }];

/** A request with something else in place of the files in its messages and in what came of calls. */
export function replaceItemFiles(request: JsonObject, replace: ReplaceFile): JsonObject {
  return changedField(request, 'input', (input) => changedItems(input, replaceInItem));

  function replaceInItem(item: Json): Json {
    if (!isObject(item)) return item;
    if (kindOf(item) === 'image') return replacePartFiles(item, MADE_IMAGE_FIELDS, replace);
    return changedField(item, contentFieldOf(item), (content) =>
      isObject(content) ? replaceInPart(content) : changedItems(content, replaceInPart),
    );
  }

  function replaceInPart(part: Json): Json {
    return replacePartFiles(part, ITEM_FILE_FIELDS, replace);
  }
}
