import { isObject, type JsonObject, type ListedMessage, type Steps, typeOfRole } from '@preflight/core';
import { listCalls, listContent } from '../chat-list.js';
import type { ListResult } from '../format.js';
import { IssueList } from '../issue-list.js';
import { STEP_ITEMS } from '../step-items.js';
import { callsOf } from './message-calls.js';
import { formOf, roleOf } from './message-form.js';

/** The messages of a request as langchain-core reads them for its own trim. */
export function* listMessages(request: JsonObject): Steps<ListResult> {
  const issues = new IssueList();
  const given = Array.isArray(request.messages) ? request.messages : [];
  if (given !== request.messages) issues.add('/messages', 'must be an array of messages');
  const messages: ListedMessage[] = [];
  for (let index = 0; index < given.length && !issues.isFull; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    issues.messageIndex = index;
    const message = given[index];
    if (!isObject(message)) issues.add('', 'must be an object');
    else messages.push(yield* listMessage(message, issues));
  }
  return issues.issues.length > 0 ? { issues: issues.issues } : { messages };
}

type Draft = { -readonly [Field in keyof ListedMessage]: ListedMessage[Field] };

function* listMessage(message: JsonObject, issues: IssueList): Steps<ListedMessage> {
  const form = formOf(message);
  const { fields } = form;
  const place = form.path.map((name) => `/${name}`).join('');
  const role = roleOf(form) ?? '';
  if (role === '') issues.add(`/${form.wordField}`, 'must say what the message is');
  const type = typeOfRole(role);
  const listed: Draft = { type, role, ...(yield* listContent(fields.content, `${place}/content`, issues)) };
  const name = issues.readText(fields.name, `${place}/name`);
  if (name !== undefined) listed.name = name;
  if (type === 'ai') {
    const calls = callsOf(fields, place, issues);
    if (calls.length > 0) listed.toolCalls = listCalls([...calls], `${place}/tool_calls`, issues) ?? [];
  }
  if (type === 'tool') {
    const id = issues.readShortText(fields.tool_call_id, `${place}/tool_call_id`);
    if (id !== undefined) listed.toolCallId = id;
  }
  return listed;
}
