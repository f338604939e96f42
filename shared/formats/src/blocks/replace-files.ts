import { isObject, type Json, type JsonObject } from '@preflight/core';
import { changedAt, changedField, changedItems } from '../changed.js';
import { type ReplaceFile, replacePartFiles } from '../chat/files.js';
import type { Path } from '../value-at.js';
import type { BlockDialect } from './dialect.js';

/** A request of messages of blocks, with something else in place of the files in them, and in results in them. */
export function replaceBlockFiles(
  request: JsonObject,
  dialect: BlockDialect,
  replace: ReplaceFile,
  contentPath: (message: JsonObject) => Path = () => ['content'],
): JsonObject {
  return changedField<Json>(request, 'messages', (messages) =>
    changedItems(messages, (message) =>
      isObject(message)
        ? changedAt<Json>(message, contentPath(message), (content) => changedItems(content, inBlock))
        : message,
    ),
  ) as JsonObject;

  function inBlock(block: Json): Json {
    if (!isObject(block)) return block;
    const kind = dialect.kindOf(block);
    if (kind === 'media') return replacePartFiles(block, dialect.filesOf(block), replace);
    const path = kind === 'result' ? dialect.resultPath(block) : undefined;
    return path === undefined
      ? block
      : changedAt<Json>(block, path, (content) => changedItems(content, inResult));
  }

  function inResult(block: Json): Json {
    const isMedia = isObject(block) && dialect.kindOf(block) === 'media';
    return isMedia ? replacePartFiles(block, dialect.filesOf(block), replace) : block;
  }
}
