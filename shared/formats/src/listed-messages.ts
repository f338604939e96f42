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
import { partWithBlobs } from './files/blob-references.js';
import { CHAT_FILE_FIELDS } from './files/file-fields.js';
import type { ListResult } from './format.js';
import { IssueList } from './issue-list.js';
import { readEach } from './read-each.js';
import { STEP_ITEMS } from './step-items.js';

/** Where a format has what langchain-core looks at in a message. */
export interface ListedForm {
  /** In the words of Chat Completions. */
  readonly role: string | undefined;
  readonly rolePointer: string;
  /** All else, and its place in the message. */
  readonly fields: JsonObject;
  readonly place: string;
}

/** What a format tells of its messages. */
export interface ListedDialect {
  formOf(message: JsonObject): ListedForm;
  /** The calls of an assistant message. */
  callsOf(form: ListedForm, issues: IssueList): readonly JsonObject[];
}

/** The messages of a request as langchain-core reads them: all of them, and all of their parts. */
export function* listMessages(request: JsonObject, dialect: ListedDialect): Steps<ListResult> {
  const issues = new IssueList();
  const messages = yield* readEach(request.messages, issues, (message) =>
    listMessage(dialect.formOf(message), dialect, issues),
  );
  return issues.issues.length > 0 ? { issues: issues.issues } : { messages };
}

/** Those of Chat Completions. */
export function listChatMessages(request: JsonObject): Steps<ListResult> {
  return listMessages(request, CHAT);
}

const CHAT: ListedDialect = {
  formOf: (fields) => {
    const role = typeof fields.role === 'string' && fields.role !== '' ? fields.role : undefined;
    return { role, rolePointer: '/role', fields, place: '' };
  },
  callsOf: ({ fields }, issues) => issues.readObjects(fields.tool_calls, '/tool_calls') ?? [],
};

type Draft = { -readonly [Field in keyof ListedMessage]: ListedMessage[Field] };

function* listMessage(form: ListedForm, { callsOf }: ListedDialect, issues: IssueList): Steps<ListedMessage> {
  const { role = '', rolePointer, fields, place } = form;
  if (role === '') issues.add(rolePointer, 'must be a short string that is not empty');
  const type = typeOfRole(role);
  const { parts, isArray } = yield* listContent(fields.content, `${place}/content`, issues);
  // Of a message that is no instance yet, langchain-core makes an empty list an empty text.
  const listed: Draft = { type, role, parts, isArray: isArray && (parts.length > 0 || place !== '') };
  const name = issues.readText(fields.name, `${place}/name`);
  if (name !== undefined) listed.name = name;
  if (type === 'ai') {
    const calls = callsOf(form, issues);
    if (calls.length > 0)
      listed.toolCalls = calls.map((call, index) => listCall(call, `${place}/tool_calls/${index}`, issues));
  }
  if (type === 'tool') {
    const toolCallId = issues.readShortText(fields.tool_call_id, `${place}/tool_call_id`);
    if (toolCallId !== undefined) listed.toolCallId = toolCallId;
  }
  return listed;
}

/** A text, parts that may be bare texts, or nothing. */
function* listContent(
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

/** A call as providers write it, or as LangChain does. */
function listCall(call: JsonObject, pointer: string, issues: IssueList): ListedCall {
  const called = issues.readObject(call.function, `${pointer}/function`) ?? call;
  const id = issues.readShortText(call.id, `${pointer}/id`);
  return {
    ...(id === undefined ? {} : { id }),
    name: issues.readText(called.name, `${pointer}/name`) ?? '',
    args: (call === called ? call.args : called.arguments) ?? '',
  };
}
