import {
  type Attachment,
  type Cut,
  cutContent,
  type Json,
  type JsonObject,
  type TextRef,
} from '@preflight/core';
import type { IssueList } from './issue-list.js';
import { isAbsent, isObject, isText } from './json-kinds.js';

/** The parts of a message's content that count. */
export interface ChatContent {
  readonly texts: readonly TextRef[];
  readonly otherTexts: readonly TextRef[];
  readonly attachments: readonly Attachment[];
}

const EMPTY: ChatContent = { texts: [], otherTexts: [], attachments: [] };

/**
 * Content of a chat message: a string, null, or an array of parts (formats.md §1). Media count in user messages
 * only, because no other role may carry any (langroid-overflow §7).
 */
export function readContent(
  content: Json | undefined,
  role: string | undefined,
  pointer: string,
  issues: IssueList,
): ChatContent {
  if (isAbsent(content)) return EMPTY;
  if (isText(content)) return { ...EMPTY, texts: [content] };
  if (!Array.isArray(content)) {
    issues.add(pointer, 'must be a string, null or an array of content parts');
    return EMPTY;
  }
  const texts: TextRef[] = [];
  const otherTexts: TextRef[] = [];
  const attachments: Attachment[] = [];
  for (const [index, part] of content.entries()) {
    const type = readType(part, `${pointer}/${index}`, issues);
    if (!isObject(part) || type === undefined) continue;
    if (type === 'text') texts.push(...readPartText(part, 'text', `${pointer}/${index}`, issues));
    else if (type === 'refusal')
      otherTexts.push(...readPartText(part, 'refusal', `${pointer}/${index}`, issues));
    else if (role === 'user') attachments.push({ kind: 'part', part });
  }
  return { texts, otherTexts, attachments };
}

function readType(part: Json, pointer: string, issues: IssueList): string | undefined {
  if (!isObject(part)) {
    issues.add(pointer, 'must be an object');
    return undefined;
  }
  if (isAbsent(part.type)) issues.add(`${pointer}/type`, 'is required');
  return issues.readShortText(part.type, `${pointer}/type`);
}

function readPartText(part: JsonObject, field: string, pointer: string, issues: IssueList): TextRef[] {
  const value = part[field];
  if (isText(value)) return [value];
  issues.add(`${pointer}/${field}`, 'must be a string');
  return [];
}

/**
 * Content after a cut, in the form it had. In an array, text parts before the cut stay whole, the cut one carries
 * the marker, later ones go, and everything that is no text stays where it is (design.md §7).
 */
export function cutChatContent(content: Json | undefined, texts: readonly TextRef[], cut: Cut): Json {
  const keptTexts = cutContent(texts, cut);
  if (!Array.isArray(content)) return keptTexts[0] ?? '';
  const parts: Json[] = [];
  let textIndex = 0;
  for (const part of content) {
    if (!isObject(part) || part.type !== 'text') {
      parts.push(part);
      continue;
    }
    const text = keptTexts[textIndex++];
    if (text !== undefined) parts.push(text === part.text ? part : { ...part, text });
  }
  return parts;
}
