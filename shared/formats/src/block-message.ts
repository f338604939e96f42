import { isObject, type Json, type JsonObject, type Message, type Steps } from '@preflight/core';
import { type BlockDialect, BlockReader } from './block-content.js';
import { CallIds } from './call-ids.js';
import type { ThinkingMessage } from './claude-thinking.js';
import type { IssueList } from './issue-list.js';
import { STEP_ITEMS } from './step-items.js';

type Draft = { -readonly [Field in keyof Message]: Message[Field] };

/** A list of messages that are made of blocks. */
export function* readBlockMessages(
  value: Json | undefined,
  dialect: BlockDialect,
  issues: IssueList,
  contentField: (message: JsonObject) => string = () => 'content',
): Steps<ThinkingMessage[]> {
  if (!Array.isArray(value)) {
    issues.add(`/${issues.list}`, 'must be an array of messages');
    return [];
  }
  const messages: ThinkingMessage[] = [];
  const callIds = new CallIds();
  for (let index = 0; index < value.length && !issues.isFull; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    issues.messageIndex = index;
    const message = yield* readBlockMessage(value[index], {
      reader: new BlockReader(dialect, issues, callIds),
      issues,
      contentField,
    });
    if (message !== undefined) messages.push(message);
  }
  issues.messageIndex = undefined;
  return messages;
}

function* readBlockMessage(
  json: Json | undefined,
  {
    reader,
    issues,
    contentField,
  }: {
    readonly reader: BlockReader;
    readonly issues: IssueList;
    contentField(message: JsonObject): string;
  },
): Steps<ThinkingMessage | undefined> {
  if (!isObject(json)) {
    issues.add('', 'must be an object');
    return undefined;
  }
  const role = issues.readRole(json.role);
  const field = contentField(json);
  const content = yield* reader.read(json[field], `/${field}`);
  if (role === undefined) return undefined;
  const { texts, attachments, toolCalls, otherParts, calls, results, thinking, uniformKind } = content;
  const message: Draft = { role, texts, attachments };
  if (toolCalls.length > 0) message.toolCalls = toolCalls;
  if (otherParts.length > 0) message.otherParts = otherParts;
  if (calls.length > 0) message.calls = calls;
  if (results.length > 0) message.results = results;
  if (uniformKind === 'result') message.startsTurn = false;
  return { message, thinking, isAllThinking: uniformKind === 'thinking' };
}
