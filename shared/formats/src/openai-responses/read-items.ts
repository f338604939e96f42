import {
  type Attachment,
  isAbsent,
  isObject,
  isText,
  type Json,
  type JsonObject,
  type Message,
  type Steps,
  type TextRef,
} from '@preflight/core';
import { CallIds } from '../call-ids.js';
import type { FileField } from '../files/file-fields.js';
import { attachedPart, word } from '../files/media-part.js';
import type { IssueList } from '../issue-list.js';
import { readEach } from '../read-each.js';
import { STEP_ITEMS } from '../step-items.js';
import { readItemContent } from './item-content.js';
import { ITEM_FILE_FIELDS, MADE_IMAGE_FIELDS } from './item-files.js';
import { kindOf } from './item-kind.js';

const NONE: readonly never[] = [];

/** Items of `input`; a text in its place is one message of the user. */
export function* readItems(input: Json | undefined, issues: IssueList): Steps<Message[]> {
  if (isAbsent(input)) return [];
  if (isText(input)) return [{ role: 'user', texts: [input], attachments: NONE }];
  const callIds = new CallIds();
  return yield* readEach(input, issues, (item) => readItem(item, { issues, callIds }));
}

interface Reading {
  readonly issues: IssueList;
  readonly callIds: CallIds;
}

function* readItem(item: JsonObject, { issues, callIds }: Reading): Steps<Message | undefined> {
  switch (kindOf(item)) {
    case 'message': {
      const role = issues.readRole(item.role);
      const content = yield* readItemContent(item.content, '/content', issues);
      return role === undefined ? undefined : { role, ...content };
    }
    case 'reasoning':
      return {
        role: 'assistant',
        texts: NONE,
        attachments: NONE,
        ...(yield* reasoningTexts(item)),
        isBoundToNext: true,
      };
    case 'function':
      // Its name and what it is called with count, as in Chat Completions.
      return {
        role: 'assistant',
        texts: NONE,
        attachments: NONE,
        functionCall: item,
        calls: [callIds.ofCall(item.call_id)],
      };
    case 'output':
      return {
        role: 'tool',
        ...(yield* readItemContent(item.output, '/output', issues)),
        results: [callIds.ofResult(item.call_id)],
      };
    case 'screenshot':
      return {
        role: 'tool',
        texts: NONE,
        attachments: screenshotIn(item, issues),
        keepsAttachments: true,
        results: [callIds.ofResult(item.call_id)],
      };
    case 'image':
      return {
        role: 'assistant',
        texts: NONE,
        attachments: [imageOf(item, MADE_IMAGE_FIELDS, '', issues)],
        keepsAttachments: true,
      };
    case 'built_in':
      return readBuiltIn(item, callIds);
  }
}

function screenshotIn({ output }: JsonObject, issues: IssueList): readonly Attachment[] {
  const screenshot = issues.readObject(output, '/output');
  return screenshot === undefined ? NONE : [imageOf(screenshot, ITEM_FILE_FIELDS, '/output', issues)];
}

/** An image that stands in no list of parts. */
function imageOf(
  part: JsonObject,
  fields: readonly FileField[],
  pointer: string,
  issues: IssueList,
): Attachment {
  return attachedPart(part, fields, { kind: 'image', ...word('detail', part.detail) }, { pointer, issues });
}

/** Text of reasoning, and of its summary. What is encrypted is no text, and nobody can tell what it counts. */
function* reasoningTexts({ summary, content }: JsonObject): Steps<Pick<Message, 'reasoning'>> {
  const texts: TextRef[] = [];
  for (const parts of [summary, content]) {
    if (!Array.isArray(parts)) continue;
    for (const [index, part] of parts.entries()) {
      if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
      if (isObject(part) && isText(part.text)) texts.push(part.text);
    }
  }
  return texts.length === 0 ? {} : { reasoning: texts };
}

/** An item that counts as the text that it travels as: a call of the provider's own tools, what came of it, or another. */
function readBuiltIn(item: JsonObject, callIds: CallIds): Message {
  const { type, role } = item;
  const pair = pairOf(item, callIds);
  const isCall = pair.calls !== undefined || (typeof type === 'string' && type.endsWith('_call'));
  return {
    role: typeof role === 'string' ? role : pair.results === undefined ? 'assistant' : 'tool',
    texts: NONE,
    attachments: NONE,
    ...(isCall ? { toolCalls: [item] } : { otherParts: [item] }),
    ...pair,
  };
}

/** Calls of built-in tools that the caller answers have the id of the call in both items; others are whole. */
function pairOf(item: JsonObject, callIds: CallIds): Pick<Message, 'calls' | 'results'> {
  const { type, id, call_id: callId, approval_request_id: approvalId } = item;
  if (type === 'mcp_approval_request') return { calls: [callIds.ofCall(id)] };
  if (type === 'mcp_approval_response') return { results: [callIds.ofResult(approvalId)] };
  // The one output that names its call `id`.
  if (type === 'local_shell_call_output') return { results: [callIds.ofResult(callId ?? id)] };
  if (isAbsent(callId) || typeof type !== 'string') return {};
  return type.endsWith('_output')
    ? { results: [callIds.ofResult(callId)] }
    : { calls: [callIds.ofCall(callId)] };
}
