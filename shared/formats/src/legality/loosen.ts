import { type Edit, type Fitted, type JsonObject, KEPT, type Message, type Steps } from '@preflight/core';
import { valueAt } from '../value-at.js';
import type { Addressed } from './find.js';

/** What follows from a change for what is bound to the messages before it. */
export interface Loosened {
  readonly request: JsonObject;
  /** What has to be set besides, for thinking that must stay. */
  readonly set: Edit | undefined;
}

/**
 * A request whose messages have changed from position `from` on, without the thinking that is no longer valid there: that of
 * models that bind it to its prefix (formats.md §3). Thinking of the turn under way stays, and the provider is told to
 * drop what of it has become invalid.
 */
export function* loosened(request: JsonObject, from: number, { format, model }: Addressed): Steps<Loosened> {
  const parsed = yield* format.parse(request, model);
  if ('issues' in parsed) return { request, set: undefined };
  const { conversation } = parsed;
  const { onChange } = conversation;
  const messages = conversation.messages.map((message, index): Message => {
    if (index >= from || message.boundTexts === undefined) return message;
    const { boundTexts: _, ...others } = message;
    return others;
  });
  const isKeptBehind = onChange !== undefined && onChange.upTo >= from;
  const isAnyBound = isKeptBehind || messages.some(({ boundTexts }) => boundTexts !== undefined);
  // Who has told the provider already loses nothing.
  if (!isAnyBound || (onChange && isSet(request, onChange.edit))) return { request, set: undefined };
  const edits = yield* format.edits(
    request,
    { ...conversation, messages, isPrefixChanged: true },
    untouched(messages.length),
  );
  const ofMessages = edits.filter(({ op }) => op !== 'set');
  return {
    request: yield* format.apply(request, ofMessages),
    set: isKeptBehind ? onChange.edit : undefined,
  };
}

function isSet(request: JsonObject, edit: Edit): boolean {
  return edit.op === 'set' && valueAt(request, edit.pointer.split('/').slice(1)) === edit.value;
}

/** A decision that changes nothing. */
function untouched(messageCount: number): Fitted {
  return {
    outcome: 'fits',
    applied: [],
    maxOutputTokens: 0,
    tokens: { before: 0, after: 0, budget: 0, contextWindow: null, requestOverhead: 0 },
    changes: new Array(messageCount).fill(KEPT),
    tokensAfter: new Int32Array(messageCount),
    cuts: [],
    attachmentNotes: [],
    drops: [],
    flags: [],
  };
}
