import { isObject, type JsonObject } from '@preflight/core';
import { applyChatEdits, chatEdits } from './chat/edits.js';
import { replaceChatFiles } from './chat/files.js';
import { CHAT_FIELDS, countChatMessages, parseChatRequest } from './chat/request.js';
import type { Format } from './format.js';
import { readLangroidFiles } from './langroid-files.js';
import { listChatMessages } from './listed-messages.js';

/** Langroid's messages: those of Chat Completions, with `files` beside the content (formats.md §1; Langroid 0.65). */
export const langroid = {
  name: 'langroid',
  description: 'is the same, with `files` beside the content of a message',
  flatFields: CHAT_FIELDS,
  isLiteral: true,
  detect: hasFiles,
  messageCount: countChatMessages,
  parse: (request) =>
    parseChatRequest(request, {
      // Index 0 whatever its role (langroid-overflow §10.10).
      protectedCount: (messages) => Math.min(messages.length, 1),
      readFiles: readLangroidFiles,
    }),
  edits: chatEdits,
  apply: applyChatEdits,
  replaceFiles: replaceChatFiles,
  list: listChatMessages,
  canNoteAttachments: true,
  instructions: { list: 'messages' },
} as const satisfies Format;

/** `files` beside the content are Langroid's alone. */
function hasFiles({ messages }: JsonObject): boolean {
  return (
    Array.isArray(messages) && messages.some((message) => isObject(message) && Array.isArray(message.files))
  );
}
