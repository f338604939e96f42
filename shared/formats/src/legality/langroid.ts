import type { JsonObject, Steps } from '@preflight/core';
import { readChatEntry } from './chat-entry.js';
import type { Entry } from './entry.js';
import type { Legality } from './legality.js';
import { openaiChatLegality } from './openai-chat.js';

/** Langroid sends Chat Completions; the files beside the content of a message become parts of it (formats.md §1). */
export const langroidLegality: Legality = {
  ...openaiChatLegality,
  provider: 'OpenAI Chat Completions, as Langroid calls it',
  read: readLangroidEntry,
};

function* readLangroidEntry(message: JsonObject): Steps<Entry> {
  const { role, parts } = yield* readChatEntry(message);
  const files = Array.isArray(message.files) ? message.files : [];
  if (files.length === 0) return { role, parts };
  return {
    role,
    parts: [
      ...parts.filter(({ kind }) => kind !== 'nothing'),
      ...files.map((_, index) => ({ kind: 'media', path: ['files', index] }) as const),
    ],
  };
}
