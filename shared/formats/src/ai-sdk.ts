import {
  isAbsent,
  isObject,
  isText,
  type Json,
  type JsonObject,
  type Steps,
  type TextRef,
} from '@preflight/core';
import { PARTS } from './ai-sdk/message-parts.js';
import { cutBlocks, noteBlocks, withoutThinking } from './blocks/edit-content.js';
import { readBlockMessages } from './blocks/read-messages.js';
import { replaceBlockFiles } from './blocks/replace-files.js';
import { countChatMessages } from './chat/request.js';
import { placeThinking } from './claude/thinking.js';
import type { Format, ParseResult } from './format.js';
import { IssueList } from './issue-list.js';
import { countLeadingInstructions } from './leading-instructions.js';
import { applyListEdits, type EditableList, listEdits } from './list-edits.js';

/** Vercel's AI SDK: UI messages with parts, or model messages with content (formats.md §1, §2; types of ai 6.0 and 7.0). */
export const aiSdk = {
  name: 'ai-sdk',
  description: "is messages of Vercel's AI SDK, those of a UI or those for a model",
  // Tools are an object here, which stands flat in no other format.
  flatFields: ['messages', 'system'],
  detect: ({ messages }) => Array.isArray(messages) && messages.some(isPeculiar),
  maxOutput: ({ maxOutputTokens }) => maxOutputTokens,
  messageCount: countChatMessages,
  parse,
  edits: (request, conversation, decision) => listEdits(request, { conversation, decision }, MESSAGES),
  apply: (request, edits) => applyListEdits(request, edits, MESSAGES),
  canNoteAttachments: true,
  instructions: {
    list: 'messages',
    systemContent: (message) =>
      message.role === 'system' ? (message[contentField(message)] ?? '') : undefined,
    orField: { field: 'system', create: (text) => text },
  },
  replaceFiles: (request, replace) =>
    replaceBlockFiles(request, PARTS, replace, (message) => [contentField(message)]),
} as const satisfies Format;

const MESSAGES: EditableList = {
  list: 'messages',
  contentPath: (message) => [contentField(message)],
  cutContent: (content, texts, cut) => cutBlocks(content, { texts, cut, dialect: PARTS }),
  withAttachmentNotes: (content, noteAt) =>
    noteBlocks(content, noteAt, PARTS, (text) => ({ type: 'text', text })),
  withoutBound: (content) => withoutThinking(content, PARTS),
};

function contentField({ parts }: JsonObject): string {
  return parts === undefined ? 'content' : 'parts';
}

function* parse(request: JsonObject, model?: string | undefined): Steps<ParseResult> {
  const issues = new IssueList();
  const read = yield* readBlockMessages(request.messages, PARTS, issues, contentField);
  const instructions = readSystem(request.system, issues);
  const tools = readTools(request.tools, issues);
  if (issues.issues.length > 0) return { issues: issues.issues };
  // Where the provider would be told what to do about bound thinking is up to whoever calls it.
  const { messages } = placeThinking(read, model, '');
  return {
    conversation: {
      messages,
      protectedCount: countLeadingInstructions(messages),
      resultsFollowCalls: true,
      tools,
      ...(isAbsent(request.toolChoice) ? {} : { toolChoice: request.toolChoice }),
      ...(instructions.length > 0 && { instructions }),
    },
  };
}

/** Instructions in a field of their own: a text, or one or several system messages. */
function readSystem(system: Json | undefined, issues: IssueList): readonly TextRef[] {
  if (isAbsent(system)) return [];
  if (isText(system)) return [system];
  const isList = Array.isArray(system);
  const messages = isList
    ? (issues.readObjects(system, '/system') ?? [])
    : [issues.readObject(system, '/system')];
  return messages.flatMap(
    (message, index) =>
      issues.readText(message?.content, `/system${isList ? `/${index}` : ''}/content`) ?? [],
  );
}

/** Tools by their names, or a list that was made of them; schemas in the field where those who count look for them. */
function readTools(tools: Json | undefined, issues: IssueList): readonly JsonObject[] {
  if (Array.isArray(tools)) return issues.readObjects(tools, '/tools') ?? [];
  return Object.entries(issues.readObject(tools, '/tools') ?? {}).map(([name, tool]) => {
    const { description, inputSchema, parameters } = isObject(tool) ? tool : {};
    const schema = inputSchema ?? parameters;
    return {
      name,
      ...(isText(description) && { description }),
      ...(isObject(schema) && { parameters: isObject(schema.jsonSchema) ? schema.jsonSchema : schema }),
    };
  });
}

/** A message of a UI, or one with parts that only this SDK has. */
function isPeculiar(message: Json): boolean {
  if (!isObject(message)) return false;
  if (Array.isArray(message.parts)) return true;
  return Array.isArray(message.content) && message.content.some(isPeculiarPart);
}

function isPeculiarPart(part: Json): boolean {
  if (!isObject(part)) return false;
  const { type, image, mediaType, toolCallId } = part;
  if (type === 'tool-call' || type === 'tool-result') return toolCallId !== undefined;
  return (type === 'image' && image !== undefined) || (type === 'file' && mediaType !== undefined);
}
