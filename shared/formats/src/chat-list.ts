import {
  isAbsent,
  isObject,
  isText,
  type Json,
  type JsonObject,
  type ListedCall,
  type ListedMessage,
  type ListedPart,
  type Steps,
  type TextRef,
  typeOfRole,
} from '@preflight/core';
import { partWithBlobs } from './blob-references.js';
import { CHAT_FILE_FIELDS } from './file-fields.js';
import type { ListResult } from './format.js';
import { IssueList } from './issue-list.js';
import { STEP_ITEMS } from './step-items.js';

/** The messages of a chat request as langchain-core reads them: all of them, and all of their parts. */
export function* listChatMessages(request: JsonObject): Steps<ListResult> {
  const issues = new IssueList();
  const messages: ListedMessage[] = [];
  const given = request.messages;
  if (!Array.isArray(given)) {
    issues.add('/messages', 'must be an array of messages');
    return { issues: issues.issues };
  }
  for (let index = 0; index < given.length && !issues.isFull; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    issues.messageIndex = index;
    const message = given[index] as Json;
    if (!isObject(message)) issues.add('', 'must be an object');
    else messages.push(yield* listMessage(message, issues));
  }
  return issues.issues.length > 0 ? { issues: issues.issues } : { messages };
}

type Draft = { -readonly [Field in keyof ListedMessage]: ListedMessage[Field] };

function* listMessage(message: JsonObject, issues: IssueList): Steps<ListedMessage> {
  const role = issues.readShortText(message.role, '/role') ?? '';
  if (role === '') issues.add('/role', 'must be a short string that is not empty');
  const type = typeOfRole(role);
  const listed: Draft = { type, role, ...(yield* listContent(message.content, '/content', issues)) };
  const name = issues.readText(message.name, '/name');
  if (name !== undefined) listed.name = name;
  if (type === 'ai') {
    const toolCalls = listCalls(message.tool_calls, '/tool_calls', issues);
    if (toolCalls !== undefined) listed.toolCalls = toolCalls;
  }
  if (type === 'tool') {
    const toolCallId = issues.readShortText(message.tool_call_id, '/tool_call_id');
    if (toolCallId !== undefined) listed.toolCallId = toolCallId;
  }
  return listed;
}

/** Content of any message that langchain-core reads: a text, parts that may be bare texts, or nothing. */
export function* listContent(
  content: Json | undefined,
  pointer: string,
  issues: IssueList,
): Steps<Pick<ListedMessage, 'parts' | 'isArray'>> {
  if (isText(content)) return { parts: [textPart(content, content)], isArray: false };
  if (!Array.isArray(content)) {
    if (!isAbsent(content)) issues.add(pointer, 'must be a string, null or an array of content parts');
    return { parts: [], isArray: false };
  }
  const parts: ListedPart[] = [];
  for (let index = 0; index < content.length && !issues.isFull; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const part = content[index] as Json;
    if (isText(part)) parts.push(textPart(part, part));
    else if (!isObject(part)) issues.add(`${pointer}/${index}`, 'must be an object');
    else if (part.type !== 'text') parts.push(otherPart(part, { pointer: `${pointer}/${index}`, issues }));
    else if (!isText(part.text)) issues.add(`${pointer}/${index}/text`, 'must be a string');
    else parts.push(textPart(part, part.text));
  }
  return { parts, isArray: true };
}

function otherPart(part: JsonObject, place: { pointer: string; issues: IssueList }): ListedPart {
  const type = typeof part.type === 'string' ? part.type : '';
  const meant = partWithBlobs(part, CHAT_FILE_FIELDS, place);
  return meant === part ? { json: part, type } : { json: part, type, meant };
}

function textPart(json: Json, text: TextRef): ListedPart {
  return { json, type: 'text', text };
}

/** Calls as providers write them, and as LangChain does. */
export function listCalls(
  value: Json | undefined,
  pointer: string,
  issues: IssueList,
): readonly ListedCall[] | undefined {
  return issues.readObjects(value, pointer)?.map((call, index) => {
    const place = `${pointer}/${index}`;
    const called = issues.readObject(call.function, `${place}/function`) ?? call;
    const id = issues.readShortText(call.id, `${place}/id`);
    return {
      ...(id === undefined ? {} : { id }),
      name: issues.readText(called.name, `${place}/name`) ?? '',
      args: (call === called ? call.args : called.arguments) ?? '',
    };
  });
}
