import {
  type Conversation,
  changeAt,
  type Edit,
  type Fitted,
  type Json,
  type JsonObject,
} from '@preflight/core';
import { cutChatContent } from './chat-content.js';
import { isObject } from './json-kinds.js';

/** Edits of `messages`: whole messages dropped, contents replaced. */
export function chatEdits(request: JsonObject, conversation: Conversation, decision: Fitted): Edit[] {
  const messages = messagesOf(request);
  const cuts = new Map(decision.cuts.map((cut) => [cut.index, cut]));
  const edits: Edit[] = [];
  for (const [index, message] of conversation.messages.entries()) {
    const cut = cuts.get(index);
    if (changeAt(decision, index).action === 'dropped') edits.push({ op: 'drop', index });
    else if (cut !== undefined) {
      const content = cutChatContent(contentOf(messages[index]), message.texts, cut);
      edits.push({ op: 'replace_content', index, content });
    }
  }
  return edits;
}

/** One pass over the messages; edits are ordered by index. */
export function applyChatEdits(request: JsonObject, edits: readonly Edit[]): JsonObject {
  if (edits.length === 0) return request;
  const messages: Json[] = [];
  let nextEdit = 0;
  for (const [index, message] of messagesOf(request).entries()) {
    const edit = edits[nextEdit];
    if (edit?.index !== index) {
      messages.push(message);
      continue;
    }
    nextEdit += 1;
    if (edit.op === 'replace_content' && isObject(message))
      messages.push({ ...message, content: edit.content });
  }
  return { ...request, messages };
}

function messagesOf(request: JsonObject): readonly Json[] {
  return Array.isArray(request.messages) ? request.messages : [];
}

function contentOf(message: Json | undefined): Json | undefined {
  return isObject(message) ? message.content : undefined;
}
