import { type Conversation, type Edit, isQuestion, type Message, type TextRef } from '@preflight/core';
import type { FormatWarning } from '../format.js';
import { thinkingRuleOf } from './thinking-rules.js';

/** A message as it was read, its thinking apart, since what becomes of that depends on what follows. */
export interface ThinkingMessage {
  readonly message: Message;
  /** Texts of its thinking blocks, which may be empty ones. */
  readonly thinking: readonly TextRef[];
  /** It holds nothing but thinking. */
  readonly isAllThinking: boolean;
}

/** Messages with their thinking where it belongs, and what has to be set if it cannot go. */
export type ThinkingPlaced = Pick<Conversation, 'messages' | 'onChange'>;

/**
 * Thinking of a model that binds it to its prefix goes once anything before it has changed, all of it: but not that of
 * the turn under way, which providers take only complete, nor where a message would be left empty. That stays, and
 * the field at `pointer` tells the provider to drop blocks that have become invalid (formats.md §3).
 */
export function placeThinking(
  read: readonly ThinkingMessage[],
  model: string | undefined,
  pointer: string,
): ThinkingPlaced {
  const rule = thinkingRuleOf(model);
  const lastAsked = read.findLastIndex(({ message }) => isQuestion(message));
  let lastKept = -1;
  const messages = read.map(({ message, thinking, isAllThinking }, index): Message => {
    if (thinking.length === 0) return message;
    const isEarlier = index < lastAsked;
    if (isEarlier && !rule.areEarlierTurnsCounted) return { ...message, idleTexts: thinking };
    if (rule.isBoundToPrefix && isEarlier && !isAllThinking) return { ...message, boundTexts: thinking };
    lastKept = index;
    return { ...message, reasoning: thinking };
  });
  if (!rule.isBoundToPrefix || lastKept === -1) return { messages };
  const edit = { op: 'set', pointer, value: 'drop_block' } as const;
  return { messages, onChange: { upTo: lastKept, edit } };
}

/** What the provider needs besides, if edits tell it at `pointer` to drop thinking. */
export function thinkingWarnings(edits: readonly Edit[], pointer: string): readonly FormatWarning[] {
  return edits.some((edit) => edit.op === 'set' && edit.pointer === pointer) ? [DROP_BLOCK] : [];
}

const DROP_BLOCK: FormatWarning = {
  code: 'thinking_binding',
  detail:
    'Thinking of the turn under way stands behind a changed message: the provider is told to drop it, which needs the beta `thinking-binding-controls-2026-08-01`.',
};
