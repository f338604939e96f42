import { checkOpenaiChat } from './openai-chat.js';
import { placed } from './plain.js';
import type { Check, Violation } from './violation.js';

/** Langroid sends Chat Completions, with the files of user messages as parts (formats.md §1). */
export const checkLangroid: Check = (request, model) => [
  ...checkOpenaiChat(request, model),
  ...placed(request.messages, '/messages').flatMap(({ value, pointer }): Violation[] =>
    Array.isArray(value.files) && value.files.length > 0 && value.role !== 'user'
      ? [{ rule: 'misplaced_media', pointer: `${pointer}/files` }]
      : [],
  ),
];
