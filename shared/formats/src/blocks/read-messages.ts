import type { Json, JsonObject, Message, Steps } from '@preflight/core';
import { CallIds } from '../call-ids.js';
import type { ThinkingMessage } from '../claude/thinking.js';
import type { IssueList } from '../issue-list.js';
import { readEach } from '../read-each.js';
import type { BlockDialect } from './dialect.js';
import { type BlockContent, BlockReader } from './read-content.js';

type Draft = { -readonly [Field in keyof Message]: Message[Field] };

/** A list of messages that are made of blocks. */
export function* readBlockMessages(
  value: Json | undefined,
  dialect: BlockDialect,
  issues: IssueList,
  contentField: (message: JsonObject) => string = () => 'content',
): Steps<ThinkingMessage[]> {
  const callIds = new CallIds();
  return yield* readEach(value, issues, function* (message) {
    const field = contentField(message);
    const reader = new BlockReader(dialect, issues, callIds);
    return messageOf(issues.readRole(message.role), yield* reader.read(message[field], `/${field}`));
  });
}

/** The message whose content was read, if its role could be. */
export function messageOf(role: string | undefined, content: BlockContent): ThinkingMessage | undefined {
  if (role === undefined) return undefined;
  const {
    texts,
    resultTextsFrom,
    attachments,
    toolCalls,
    otherParts,
    calls,
    results,
    decisions,
    thinking,
    uniformKind,
  } = content;
  const message: Draft = { role, texts, attachments };
  if (toolCalls.length > 0) message.toolCalls = toolCalls;
  if (otherParts.length > 0) message.otherParts = otherParts;
  if (calls.length > 0) message.calls = calls;
  if (results.length > 0) message.results = results;
  if (decisions.length > 0) message.decisions = decisions;
  if (results.length > 0 && resultTextsFrom > 0) message.resultTextsFrom = resultTextsFrom;
  if (uniformKind === 'result') message.startsTurn = false;
  return { message, thinking, isAllThinking: uniformKind === 'thinking' };
}
