import {
  type Conversation,
  type Edit,
  type Fitted,
  isText,
  type JsonObject,
  type Steps,
} from '@preflight/core';
import { applyListEdits, type EditableList, listEdits } from '../list-edits.js';
import { cutItemContent, noteItemAttachments } from './item-content.js';
import { contentFieldOf } from './item-kind.js';

const INPUT: EditableList = {
  list: 'input',
  contentPath: (item) => [contentFieldOf(item)],
  cutContent: cutItemContent,
  withAttachmentNotes: noteItemAttachments,
};

/** Items dropped, contents and outputs replaced. An `input` that is a text is a field to be set. */
export function* itemEdits(request: JsonObject, conversation: Conversation, decision: Fitted): Steps<Edit[]> {
  const { input } = request;
  if (!isText(input)) return yield* listEdits(request, { conversation, decision }, INPUT);
  const [cut] = decision.cuts;
  if (cut === undefined) return [];
  return [{ op: 'set', pointer: '/input', value: yield* cutItemContent(input, [input], cut) }];
}

export function applyItemEdits(request: JsonObject, edits: readonly Edit[]): Steps<JsonObject> {
  return applyListEdits(request, edits, INPUT);
}
