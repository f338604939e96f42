import { applyChatEdits, chatEdits } from './chat/edits.js';
import { replaceChatFiles } from './chat/files.js';
import { CHAT_FIELDS, countChatMessages, parseChatRequest } from './chat/request.js';
import type { Format } from './format.js';
import { countLeadingInstructions } from './leading-instructions.js';
import { listChatMessages } from './listed-messages.js';

/** OpenAI's Chat Completions, and what speaks its language (formats.md §1; types of openai 6.49, November 2026). */
export const openaiChat = {
  name: 'openai-chat',
  description: 'is Chat Completions, and what speaks its language',
  flatFields: CHAT_FIELDS,
  detect: ({ messages }) => Array.isArray(messages),
  messageCount: countChatMessages,
  parse: (request) => parseChatRequest(request, { protectedCount: countLeadingInstructions }),
  edits: chatEdits,
  apply: applyChatEdits,
  replaceFiles: replaceChatFiles,
  list: listChatMessages,
  canNoteAttachments: true,
  instructions: { list: 'messages', createMessage: (content) => ({ role: 'system', content }) },
} as const satisfies Format;
