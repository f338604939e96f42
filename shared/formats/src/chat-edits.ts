import {
  type Conversation,
  changeAt,
  type Edit,
  type Fitted,
  isObject,
  type Json,
  type JsonObject,
  type Steps,
} from '@preflight/core';
import { cutChatContent } from './chat-content.js';
import { STEP_ITEMS } from './step-items.js';

/** Edits of `messages`: whole messages dropped, contents replaced. One pass; cuts are ordered by index. */
export function* chatEdits(request: JsonObject, conversation: Conversation, decision: Fitted): Steps<Edit[]> {
  const messages = messagesOf(request);
  const edits: Edit[] = [];
  let nextCut = 0;
  for (let index = 0; index < conversation.messages.length; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const cut = decision.cuts[nextCut];
    if (cut?.index === index) {
      nextCut += 1;
      const content = yield* cutChatContent(
        contentOf(messages[index]),
        conversation.messages[index]?.texts ?? [],
        cut,
      );
      edits.push({ op: 'replace_content', index, content });
    } else if (changeAt(decision, index).action === 'dropped') edits.push({ op: 'drop', index });
  }
  return edits;
}

/** One pass over the messages; edits are ordered by index. */
export function* applyChatEdits(request: JsonObject, edits: readonly Edit[]): Steps<JsonObject> {
  if (edits.length === 0) return request;
  const given = messagesOf(request);
  const messages: Json[] = [];
  let nextEdit = 0;
  for (let index = 0; index < given.length; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const message = given[index] ?? null;
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
