import type { ListCounter, TrimmedResponse, TrimResult } from '@preflight/contracts';
import { type Change, trimChanges, trimEdits, trimHazards } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import type { ListRequest } from '../requests/conversation-request.js';
import { messageTokens, rowsOf } from './message-rows.js';
import { milliseconds } from './milliseconds.js';

/** Body of a list that was trimmed as langchain-core does, whatever the hazards. */
export async function trimmedAnswer(
  id: string,
  read: ListRequest,
  counter: ListCounter,
  { decision, ledger, ...result }: TrimResult,
  options: { withConversation: boolean },
): Promise<TrimmedResponse> {
  const { messages, request, format } = read;
  const turn = new Turn();
  const edits = trimEdits(messages, decision);
  const conversation = options.withConversation ? await turn.drive(format.apply(request, edits)) : undefined;
  const changes = trimChanges(messages.length, decision);
  return {
    id,
    outcome: decision.outcome,
    ...(counter.kind === 'tokens' ? { encoding: counter.encoding } : {}),
    exact: counter.kind !== 'approximate',
    tokens: decision.tokens,
    hazards: await turn.drive(trimHazards(messages, decision)),
    messages: await rowsOf(messages, (index) => {
      const row = messageTokens(messages, ledger, index);
      const { action, reason } = changes[index] as Change;
      const wholeTokens = row.content_tokens + row.attachment_tokens + row.other_tokens;
      const leftTokens = action === 'cut' ? (decision.shortened?.tokens ?? 0) : wholeTokens;
      return { ...row, tokens_after: action === 'dropped' ? 0 : leftTokens, action, reason };
    }),
    edits: edits as TrimmedResponse['edits'],
    ...(conversation === undefined ? {} : { conversation }),
    warnings: [],
    timing: {
      queue_ms: milliseconds(result.queueMs),
      count_ms: milliseconds(result.countMs),
      fit_ms: milliseconds(result.trimMs),
    },
    cache: result.cache,
  };
}
