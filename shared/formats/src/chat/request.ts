import {
  type Conversation,
  isAbsent,
  isObject,
  type JsonObject,
  type Message,
  type Steps,
} from '@preflight/core';
import { CallIds } from '../call-ids.js';
import type { ParseResult } from '../format.js';
import { IssueList } from '../issue-list.js';
import { readEach } from '../read-each.js';
import { type ReadFiles, readMessage } from './message.js';

/** In what the formats of the chat shape differ. */
export interface ChatDialect {
  protectedCount(messages: readonly Message[]): number;
  readonly readFiles?: ReadFiles;
}

/** What a conversation of the chat shape stands in. */
export const CHAT_FIELDS = [
  'messages',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'response_format',
] as const;

/** How many messages a request has, before it is read. */
export function countChatMessages({ messages }: JsonObject): number {
  return Array.isArray(messages) ? messages.length : 0;
}

/** Reads `messages`, `tools` or the legacy `functions`, the choice among them, and the schema of the answer. */
export function* parseChatRequest(request: JsonObject, dialect: ChatDialect): Steps<ParseResult> {
  const issues = new IssueList();
  const reading = { issues, callIds: new CallIds(), readFiles: dialect.readFiles };
  const messages = yield* readEach(request.messages, issues, (message) => readMessage(message, reading));
  const tools = [
    ...(issues.readObjects(request.tools, '/tools') ?? []),
    ...(issues.readObjects(request.functions, '/functions') ?? []),
  ];
  if (issues.issues.length > 0) return { issues: issues.issues };
  const answerSchema = isObject(request.response_format) ? request.response_format.json_schema : undefined;
  const toolChoice = isAbsent(request.tool_choice) ? request.function_call : request.tool_choice;
  const conversation: Conversation = {
    messages,
    protectedCount: dialect.protectedCount(messages),
    resultsFollowCalls: true,
    tools,
    ...(isAbsent(toolChoice) ? {} : { toolChoice }),
    ...(isAbsent(answerSchema) ? {} : { schemas: [answerSchema] }),
  };
  return { conversation };
}
