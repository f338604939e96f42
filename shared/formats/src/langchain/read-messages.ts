import { isObject, type Json, type JsonObject, type Message, type Steps } from '@preflight/core';
import { BlockReader } from '../blocks/read-content.js';
import { messageOf } from '../blocks/read-messages.js';
import { CallIds } from '../call-ids.js';
import type { ThinkingMessage } from '../claude/thinking.js';
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
  const read = messageOf(role, content);
  if (role === undefined || read === undefined) return undefined;

  const calls = [
    ...listed.map(({ id }) => callIds.ofCall(id)),
    ...content.calls,
    ...(isObject(functionCall) ? [callIds.ofCall(undefined, functionCall.name)] : []),
  ];
  const results = [...content.results, ...resultsOf(role, fields, callIds)];
  const message: Draft = { ...read.message };
  if (name !== undefined) message.name = name;
  if (listed.length > 0) message.toolCalls = [...listed, ...content.toolCalls];
  if (functionCall !== undefined) message.functionCall = functionCall;
  if (calls.length > 0) message.calls = calls;
  if (results.length > 0) message.results = results;
  return { ...read, message, isAllThinking: read.isAllThinking && listed.length === 0 };
}

/** The call that a tool message, or a message of a function, answers. */
function resultsOf(role: string, fields: JsonObject, callIds: CallIds): string[] {
  if (role === 'tool') return [callIds.ofResult(fields.tool_call_id)];
  return role === 'function' ? [callIds.ofResult(undefined, fields.name)] : [];
}
