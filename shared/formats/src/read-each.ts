import { isObject, type Json, type JsonObject, type Steps } from '@preflight/core';
import type { IssueList } from './issue-list.js';
import { STEP_ITEMS } from './step-items.js';

/** What `read` makes of each message of a list; notes what is no list, or no message. */
export function* readEach<Message>(
  value: Json | undefined,
  issues: IssueList,
  read: (message: JsonObject) => Steps<Message | undefined>,
  expected = 'must be an array of messages',
): Steps<Message[]> {
  if (!Array.isArray(value)) {
    issues.add(`/${issues.list}`, expected);
    return [];
  }
  const messages: Message[] = [];
  for (let index = 0; index < value.length && !issues.isFull; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    issues.messageIndex = index;
    const given = value[index];
    const message = isObject(given) ? yield* read(given) : undefined;
    if (message !== undefined) messages.push(message);
    else if (!isObject(given)) issues.add('', 'must be an object');
  }
  issues.messageIndex = undefined;
  return messages;
}
