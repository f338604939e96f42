import type { Warning } from '@preflight/contracts';
import type { Conversation, Json, Message, Steps, TextRef } from '@preflight/core';
import { hasIllFormed } from '@preflight/formats';

/**
 * A warning where something that counts holds half of a surrogate pair, which no encoding of a provider has: it counts as
 * U+FFFD, as which most clients send it.
 */
export function* illFormedWarning(conversation: Conversation): Steps<Warning[]> {
  const { messages, front, instructions = [], tools, schemas = [] } = conversation;
  const found: number[] = [];
  for (const [index, message] of messages.entries()) {
    if (index % 64 === 63) yield;
    if (yield* isAnyIllFormed(countedIn(message))) found.push(index);
  }
  const places: string[] = [];
  if (found.length > 0) places.push(`messages ${found.slice(0, 20).join(', ')}`);
  if (yield* isAnyIllFormed([...instructions, ...(front ? countedIn(front) : [])]))
    places.push('instructions');
  if (yield* isAnyIllFormed([...tools, ...schemas])) places.push('tools or schemas');
  return places.length === 0 ? [] : [warningAbout(places.join(' and '))];
}

/** The same of a text alone. */
export function* illFormedTextWarning(text: TextRef): Steps<Warning[]> {
  return (yield* hasIllFormed(text)) ? [warningAbout('the text')] : [];
}

function warningAbout(places: string): Warning {
  return {
    code: 'ill_formed_string',
    detail: `Half of a surrogate pair stands in ${places}. It counts as U+FFFD, as which most clients send it; providers may refuse it. \`POST /v1/check\` names every place, and mends it with \`repair\`.`,
  };
}

/** All of a message but its attachments. */
function* countedIn({ name, functionCall, ...message }: Message): Iterable<Json> {
  yield* message.texts;
  for (const list of [message.otherTexts, message.reasoning, message.boundTexts, message.idleTexts])
    if (list !== undefined) yield* list;
  for (const list of [message.toolCalls, message.otherParts]) if (list !== undefined) yield* list;
  if (name !== undefined) yield name;
  if (functionCall !== undefined) yield functionCall;
}

function* isAnyIllFormed(values: Iterable<Json>): Steps<boolean> {
  for (const value of values) if (yield* hasIllFormed(value)) return true;
  return false;
}
