import { isObject, type Json, type Message, type Steps } from '@preflight/core';
import { BlockReader } from '../block-content.js';
import { CallIds } from '../call-ids.js';
import type { ThinkingMessage } from '../claude-thinking.js';
import type { IssueList } from '../issue-list.js';
import { STEP_ITEMS } from '../step-items.js';
import { BLOCKS, BLOCKS_BESIDE_CALLS } from './content-blocks.js';
import { callsOf, functionCallOf } from './message-calls.js';
import { formOf, roleOf } from './message-form.js';

type Draft = { -readonly [Field in keyof Message]: Message[Field] };

/** Messages of LangChain, each in whichever form it has. */
export function* readMessages(value: Json | undefined, issues: IssueList): Steps<ThinkingMessage[]> {
  if (!Array.isArray(value)) {
    issues.add('/messages', 'must be an array of messages');
    return [];
  }
  const messages: ThinkingMessage[] = [];
  const callIds = new CallIds();
  for (let index = 0; index < value.length && !issues.isFull; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    issues.messageIndex = index;
    const message = yield* readMessage(value[index], callIds, issues);
    if (message !== undefined) messages.push(message);
  }
  issues.messageIndex = undefined;
  return messages;
}

function* readMessage(
  json: Json | undefined,
  callIds: CallIds,
  issues: IssueList,
): Steps<ThinkingMessage | undefined> {
  if (!isObject(json)) {
    issues.add('', 'must be an object');
    return undefined;
  }
  const form = formOf(json);
  const { fields, wordField } = form;
  const place = form.path.map((name) => `/${name}`).join('');
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
function resultsOf(role: string, fields: { readonly [name: string]: Json }, callIds: CallIds): string[] {
  if (role === 'tool') return [callIds.ofResult(fields.tool_call_id)];
  return role === 'function' ? [callIds.ofResult(undefined, fields.name)] : [];
}
