import type { Steps } from '../steps.js';
import type { ListedMessage } from './listed-message.js';
import type { TrimDecision } from './trim-decision.js';

/** Messages that are looked at in one step, less than a millisecond. */
const STEP_MESSAGES = 256;

/**
 * What a provider may refuse about the result of a trim (langchain-trim.md, section 9), as the specification writes it,
 * one for a message and kind, in the order of the messages; then those of the result as a whole.
 */
export function* trimHazards(messages: readonly ListedMessage[], decision: TrimDecision): Steps<string[]> {
  const kept = keptIndices(messages.length, decision);
  const answered = new Set<string>();
  for (const [i, index] of kept.entries()) {
    if (i % STEP_MESSAGES === STEP_MESSAGES - 1) yield;
    const { toolCallId } = messages[index] as ListedMessage;
    if (toolCallId !== undefined) answered.add(toolCallId);
  }
  const hazards: string[] = [];
  const called = new Set<string>();
  let hasOther = false;
  for (const [i, index] of kept.entries()) {
    if (i % STEP_MESSAGES === STEP_MESSAGES - 1) yield;
    const { type, toolCalls = [], toolCallId } = messages[index] as ListedMessage;
    if (type !== 'system') hasOther = true;
    if (type === 'tool' && (toolCallId === undefined || !called.has(toolCallId)))
      hazards.push(`orphan_tool_result:${index}`);
    if (toolCalls.some(({ id }) => id === undefined || !answered.has(id)))
      hazards.push(`unanswered_tool_call:${index}`);
    for (const { id } of toolCalls) if (id !== undefined) called.add(id);
  }
  if (decision.tokens.after > decision.tokens.budget) hazards.push('over_budget');
  if (messages.length > 0 && kept.length === 0) hazards.push('empty');
  if (kept.length > 0 && !hasOther) hazards.push('system_only');
  return hazards;
}

function keptIndices(messageCount: number, { dropped }: TrimDecision): number[] {
  const kept: number[] = [];
  let next = 0;
  for (const { from, to } of [...dropped, { from: messageCount, to: messageCount }]) {
    for (; next < from; next++) kept.push(next);
    next = to;
  }
  return kept;
}
