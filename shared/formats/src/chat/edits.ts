import type { Conversation, Edit, Fitted, JsonObject, Steps } from '@preflight/core';
import { applyListEdits, type EditableList, listEdits } from '../list-edits.js';
import { cutChatContent, noteChatAttachments } from './content.js';

const MESSAGES: EditableList = {
  list: 'messages',
  contentPath: () => ['content'],
  cutContent: cutChatContent,
  withAttachmentNotes: noteChatAttachments,
};

/** Edits of `messages`: whole messages dropped, contents replaced. */
export function chatEdits(request: JsonObject, conversation: Conversation, decision: Fitted): Steps<Edit[]> {
  return listEdits(request, { conversation, decision }, MESSAGES);
}

export function applyChatEdits(request: JsonObject, edits: readonly Edit[]): Steps<JsonObject> {
  return applyListEdits(request, edits, MESSAGES);
}
