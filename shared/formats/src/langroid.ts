import { applyChatEdits, chatEdits } from './chat-edits.js';
import { parseChatRequest } from './chat-request.js';
import type { Format } from './format.js';
import { readLangroidFiles } from './langroid-files.js';

/** Langroid's messages: those of Chat Completions, with `files` beside the content (formats.md §1; Langroid 0.65). */
export const langroid: Format = {
  name: 'langroid',
  parse: (request) =>
    parseChatRequest(request, {
      // Index 0 whatever its role (langroid-overflow §10.10).
      protectedCount: (messages) => Math.min(messages.length, 1),
      readFiles: readLangroidFiles,
    }),
  edits: chatEdits,
  apply: applyChatEdits,
};
