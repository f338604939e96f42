import { isObject, type Json, type JsonObject, type Message, type Steps } from '@preflight/core';
import { BlockReader } from '../block-content.js';
import { CallIds } from '../call-ids.js';
import type { ThinkingMessage } from '../claude-thinking.js';
import type { IssueList } from '../issue-list.js';
import { readEach } from '../read-each.js';
import { BLOCKS, BLOCKS_BESIDE_CALLS } from './content-blocks.js';
import { callsOf, functionCallOf } from './message-calls.js';
import { formOf, placeOf, roleOf } from './message-form.js';

type Draft = { -readonly [Field in keyof Message]: Message[Field] };

/** Messages of LangChain, each in whichever form it has. */
export function* readMessages(value: Json | undefined, issues: IssueList): Steps<ThinkingMessage[]> {
  const callIds = new CallIds();
  return yield* readEach(value, issues, (message) => readMessage(message, callIds, issues));
}

function* readMessage(
  json: JsonObject,
  callIds: CallIds,
  issues: IssueList,
): Steps<ThinkingMessage | undefined> {
  const form = formOf(json);
  const { fields, wordField } = form;
  const place = placeOf(form);
  const role = roleOf(form);
  if (role === undefined) issues.add(`/${wordField}`, 'must say what the message is');
  const listed = role === 'assistant' ? callsOf(fields, place, issues) : [];
  const functionCall = role === 'assistant' ? functionCallOf(fields) : undefined;
  const dialect = listed.length > 0 ? BLOCKS_BESIDE_CALLS : BLOCKS;
  const content = yield* new BlockReader(dialect, issues, callIds).read(fields.content, `${place}/content`);
  const name = issues.readText(fields.name, `${place}/name`);
  if (role === undefined) return undefined;

  const { texts, attachments, toolCalls, otherParts, calls, results, thinking, uniformKind } = content;
  const message: Draft = { role, texts, attachments };
  if (name !== undefined) message.name = name;
  if (listed.length + toolCalls.length > 0) message.toolCalls = [...listed, ...toolCalls];
  if (functionCall !== undefined) message.functionCall = functionCall;
  if (otherParts.length > 0) message.otherParts = otherParts;
  const allCalls = [
    ...listed.map(({ id }) => callIds.ofCall(id)),
    ...calls,
    ...(isObject(functionCall) ? [callIds.ofCall(undefined, functionCall.name)] : []),
  ];
  if (allCalls.length > 0) message.calls = allCalls;
  const answered = resultsOf(role, fields, callIds);
  if (results.length + answered.length > 0) message.results = [...results, ...answered];
  if (uniformKind === 'result') message.startsTurn = false;
  return { message, thinking, isAllThinking: uniformKind === 'thinking' && listed.length === 0 };
}

/** The call that a tool message, or a message of a function, answers. */
function resultsOf(role: string, fields: JsonObject, callIds: CallIds): string[] {
  if (role === 'tool') return [callIds.ofResult(fields.tool_call_id)];
  return role === 'function' ? [callIds.ofResult(undefined, fields.name)] : [];
}
