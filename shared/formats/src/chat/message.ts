import { type Attachment, isText, type JsonObject, type Message, type Steps } from '@preflight/core';
import type { CallIds } from '../call-ids.js';
import type { IssueList } from '../issue-list.js';
import { readContent } from './content.js';

/** Attachments that a format keeps beside the content. */
export type ReadFiles = (message: JsonObject, issues: IssueList) => Steps<readonly Attachment[]>;

type Draft = { -readonly [Field in keyof Message]: Message[Field] };

/** What reading a message takes from, and adds to, the reading of all. */
export interface ChatReading {
  readonly issues: IssueList;
  readonly callIds: CallIds;
  readonly readFiles: ReadFiles | undefined;
}

/** A message in the shape of Chat Completions (formats.md §1, §2), which Langroid's format extends. */
export function* readMessage(
  json: JsonObject,
  { issues, callIds, readFiles }: ChatReading,
): Steps<Message | undefined> {
  const role = issues.readRole(json.role);
  const content = yield* readContent(json.content, role, issues);
  const files = readFiles !== undefined && role === 'user' ? yield* readFiles(json, issues) : [];
  const name = issues.readText(json.name, '/name');
  const toolCalls = issues.readObjects(json.tool_calls, '/tool_calls');
  const functionCall = issues.readObject(json.function_call, '/function_call');
  if (role === undefined) return undefined;

  const message: Draft = { role, texts: content.texts, attachments: content.attachments };
  if (files.length > 0) {
    message.attachments = [...content.attachments, ...files];
    message.keepsAttachments = true;
  }
  if (name !== undefined) message.name = name;
  if (toolCalls !== undefined) message.toolCalls = toolCalls;
  if (functionCall !== undefined) message.functionCall = functionCall;
  const calls = [
    ...(toolCalls ?? []).map(({ id }) => callIds.ofCall(id)),
    ...(functionCall === undefined ? [] : [callIds.ofCall(undefined, functionCall.name)]),
  ];
  if (calls.length > 0) message.calls = calls;
  if (role === 'tool') message.results = [callIds.ofResult(json.tool_call_id)];
  if (role === 'function') message.results = [callIds.ofResult(undefined, json.name)];
  // A refusal that is no text does not count, and is the provider's affair.
  const refusals = isText(json.refusal) ? [...content.otherTexts, json.refusal] : content.otherTexts;
  if (refusals.length > 0) message.otherTexts = refusals;
  return message;
}
