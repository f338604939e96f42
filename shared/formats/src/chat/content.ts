import {
  type Attachment,
  type Cut,
  cutContent,
  isAbsent,
  isObject,
  isText,
  type Json,
  type JsonObject,
  type Steps,
  type TextRef,
} from '@preflight/core';
import type { NoteAt } from '../attachment-notes.js';
import { CHAT_FILE_FIELDS } from '../files/file-fields.js';
import { attachedPart } from '../files/media-part.js';
import type { IssueList } from '../issue-list.js';
import { STEP_ITEMS } from '../step-items.js';
import { chatMediaWords } from './media.js';

/** The parts of a message's content that count. */
export interface ChatContent {
  readonly texts: readonly TextRef[];
  readonly attachments: readonly Attachment[];
  /** Text that is sent, but is not the content proper: refusals. */
  readonly otherTexts: readonly TextRef[];
}

/** Shared, because most of 100,000 messages have none. */
const NONE: readonly never[] = [];

/**
 * Content of a chat message: a string, null, or an array of parts (formats.md §1). Media count in user messages
 * only, because no other role may carry any (langroid-overflow §7).
 */
export function* readContent(
  value: Json | undefined,
  role: string | undefined,
  issues: IssueList,
): Steps<ChatContent> {
  if (isText(value)) return { texts: [value], attachments: NONE, otherTexts: NONE };
  if (Array.isArray(value)) return yield* readParts(value, role === 'user', issues);
  if (!isAbsent(value)) issues.add('/content', 'must be a string, null or an array of content parts');
  return { texts: NONE, attachments: NONE, otherTexts: NONE };
}

function* readParts(parts: readonly Json[], mayHoldMedia: boolean, issues: IssueList): Steps<ChatContent> {
  const texts: TextRef[] = [];
  const attachments: Attachment[] = [];
  const otherTexts: TextRef[] = [];
  for (let index = 0; index < parts.length && !issues.isFull; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const part = parts[index];
    if (!isObject(part)) issues.add(`/content/${index}`, 'must be an object');
    else if (part.type === 'text' || part.type === 'refusal') {
      const text = part[part.type];
      // Clients write null for what they leave out.
      if (text === null) continue;
      if (!isText(text)) issues.add(`/content/${index}/${part.type}`, 'must be a string');
      else if (part.type === 'text') texts.push(text);
      else otherTexts.push(text);
    } else if (typeof part.type !== 'string') issues.add(`/content/${index}/type`, 'must be a short string');
    else if (part.type === 'image_url' && !mayBeImage(part.image_url))
      issues.add(`/content/${index}/image_url`, 'must be an object with the `url` of an image');
    else if (mayHoldMedia)
      attachments.push(
        attachedPart(part, CHAT_FILE_FIELDS, chatMediaWords(part), { pointer: `/content/${index}`, issues }),
      );
  }
  return { texts, attachments, otherTexts };
}

/** Some servers take the address alone; what is not there does not count. */
function mayBeImage(image: Json | undefined): boolean {
  return isAbsent(image) || isText(image) || isObject(image);
}

/** Content with notes in the place of attachments. */
export function noteChatAttachments(content: Json, noteAt: NoteAt): Json {
  const isAttachment = ({ type }: JsonObject) => type !== 'text' && type !== 'refusal';
  return noteParts(content, noteAt, { isAttachment, partOf: (text) => ({ type: 'text', text }) });
}

/** What of a list of parts is an attachment, and how it has a text. */
export interface NotedParts {
  isAttachment(part: JsonObject): boolean;
  partOf(text: string): JsonObject;
}

/** Content with parts of text in the place of attachments. */
export function noteParts(content: Json, noteAt: NoteAt, { isAttachment, partOf }: NotedParts): Json {
  if (!Array.isArray(content)) return content;
  let position = 0;
  return content.flatMap((part) => {
    const note = isObject(part) && isAttachment(part) ? noteAt(position++) : undefined;
    if (note === undefined) return [part];
    return note === null ? [] : [partOf(note)];
  });
}

/** Content of a chat message after a cut, in the form it had. */
export function cutChatContent(content: Json | undefined, texts: readonly TextRef[], cut: Cut): Steps<Json> {
  return cutTextParts(content, {
    texts,
    cut,
    isTextPart: ({ type, text }) => type === 'text' && text !== null,
  });
}

export interface PartsCut {
  /** The texts of the content, uncut, and where they are cut. */
  readonly texts: readonly TextRef[];
  readonly cut: Cut;
  /** Whether the `text` of a part is one of them. */
  isTextPart(part: JsonObject): boolean;
}

/**
 * Content after a cut, in the form it had. In an array, text parts before the cut stay whole, the cut one carries
 * the marker, later ones go, and everything that is no text stays where it is (design.md §7).
 */
export function* cutTextParts(content: Json | undefined, { texts, cut, isTextPart }: PartsCut): Steps<Json> {
  const keptTexts = yield* cutContent(texts, cut);
  if (!Array.isArray(content)) return keptTexts[0] ?? '';
  const parts: Json[] = [];
  let textIndex = 0;
  for (const [index, part] of content.entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    if (!isObject(part) || !isTextPart(part)) {
      parts.push(part);
      continue;
    }
    const text = keptTexts[textIndex++];
    if (text !== undefined) parts.push(text === part.text ? part : { ...part, text });
  }
  return parts;
}
