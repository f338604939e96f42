import {
  type Attachment,
  type Cut,
  isAbsent,
  isObject,
  isText,
  type Json,
  type JsonObject,
  type Message,
  type Steps,
  type TextRef,
} from '@preflight/core';
import type { NoteAt } from '../attachment-notes.js';
import { cutTextParts, noteParts } from '../chat/content.js';
import { attachedPart } from '../files/media-part.js';
import type { IssueList } from '../issue-list.js';
import { STEP_ITEMS } from '../step-items.js';
import { ITEM_FILE_FIELDS } from './item-files.js';
import { itemMediaWords } from './item-media.js';

const NONE: readonly never[] = [];

/** Parts whose text is content: what was sent, what was answered, and the name that gateways give to both. */
const TEXT_TYPES: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'text']);

/** Content of a message, or what came of a call: a string, null, or an array of parts. `field` is a pointer. */
export function* readItemContent(
  content: Json | undefined,
  field: string,
  issues: IssueList,
): Steps<Pick<Message, 'texts' | 'attachments' | 'otherTexts'>> {
  if (isText(content)) return { texts: [content], attachments: NONE };
  if (isAbsent(content)) return { texts: NONE, attachments: NONE };
  if (!Array.isArray(content)) {
    issues.add(field, 'must be a string, null or an array of content parts');
    return { texts: NONE, attachments: NONE };
  }
  const texts: TextRef[] = [];
  const attachments: Attachment[] = [];
  const otherTexts: TextRef[] = [];
  for (let index = 0; index < content.length && !issues.isFull; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const part = content[index];
    const pointer = `${field}/${index}`;
    if (!isObject(part)) issues.add(pointer, 'must be an object');
    else if (TEXT_TYPES.has(part.type)) {
      // Clients write null for what they leave out.
      if (part.text === null) continue;
      if (isText(part.text)) texts.push(part.text);
      else issues.add(`${pointer}/text`, 'must be a string');
    } else if (part.type === 'refusal') {
      if (isText(part.refusal)) otherTexts.push(part.refusal);
      else issues.add(`${pointer}/refusal`, 'must be a string');
    } else if (typeof part.type !== 'string') issues.add(`${pointer}/type`, 'must be a short string');
    else attachments.push(attachedPart(part, ITEM_FILE_FIELDS, itemMediaWords(part), { pointer, issues }));
  }
  return { texts, attachments, ...(otherTexts.length === 0 ? {} : { otherTexts }) };
}

/** Content with notes in the place of attachments, in the type of text of who speaks. */
export function noteItemAttachments(content: Json, noteAt: NoteAt, { role }: JsonObject): Json {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  const isAttachment = (part: JsonObject) => !TEXT_TYPES.has(part.type) && part.type !== 'refusal';
  return noteParts(content, noteAt, { isAttachment, partOf: (text) => ({ type, text }) });
}

/** Content after a cut, in the form it had. */
export function cutItemContent(content: Json | undefined, texts: readonly TextRef[], cut: Cut): Steps<Json> {
  return cutTextParts(content, { texts, cut, isTextPart });
}

function isTextPart({ type, text }: JsonObject): boolean {
  return TEXT_TYPES.has(type) && text !== null;
}
