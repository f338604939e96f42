import type { Message } from '@preflight/core';
import { applyChatEdits, chatEdits } from './chat-edits.js';
import { replaceChatFiles } from './chat-files.js';
import { CHAT_FIELDS, countChatMessages, parseChatRequest } from './chat-request.js';
import type { Format } from './format.js';

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
} as const satisfies Format;

/** System and developer messages at the front are never touched (design.md §7). */
function countLeadingInstructions(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  return first === -1 ? messages.length : first;
}
