import { expect } from 'vitest';
import type { Vector } from '../conformance/langroid-vectors.js';
import type { HttpAnswer } from './http.js';

const OUTCOMES = {
  fits: 'fits',
  shrink_output: 'output_reduced',
  truncate: 'truncated',
  drop_turns: 'turns_dropped',
  error: undefined,
} as const;

/** The body of `/v1/preflight` for a vector of langroid-overflow. */
export function vectorRequest({ input }: Vector): object {
  return {
    format: 'langroid',
    count: 'content',
    return: 'conversation',
    model: input.model,
    encoding: input.encoding,
    messages: input.messages,
    context_window: input.options.context_length,
    max_output_tokens: input.options.max_output_tokens,
    min_output_tokens: input.options.min_output_tokens,
    strategy: input.options.strategy,
  };
}

/** The answer says all that the vector says. */
export function expectVectorAnswer(answer: HttpAnswer, vector: Vector): void {
  const { expected } = vector;
  if (expected.stage === 'error') expectProblem(answer, vector);
  else expectFitted(answer, vector);
  const hasAttachments = expected.attachment_tokens_before.some((tokens) => tokens > 0);
  expect(answer.body.warnings.filter(isEstimate)).toHaveLength(hasAttachments ? 1 : 0);
}

const isEstimate = ({ code }: { code: string }) => code === 'attachment_estimate';

function expectProblem({ status, headers, body }: HttpAnswer, { input, expected }: Vector): void {
  const { code, unshrinkable, ...figures } = expected.error ?? expect.fail();
  expect(status).toBe(422);
  expect(headers['content-type']).toContain('application/problem+json');
  expect(body.code).toBe(code);
  expect(body.figures).toEqual({
    ...figures,
    context_window: input.options.context_length,
    max_output_tokens: input.options.max_output_tokens,
    min_output_tokens: input.options.min_output_tokens,
  });
  expect(body.unshrinkable).toEqual(unshrinkable.map((entry) => ({ ...entry, other_tokens: 0 })));
  expect(body).not.toHaveProperty('conversation');
}

function expectFitted({ status, body }: HttpAnswer, { input, expected }: Vector): void {
  const kept = expected.kept ?? expect.fail();
  const tokensAfter = input.messages.map(() => 0);
  kept.forEach(({ index }, i) => {
    tokensAfter[index] = (expected.content_tokens_after[i] ?? 0) + (expected.attachment_tokens_after[i] ?? 0);
  });
  expect(status).toBe(200);
  expect(body.outcome).toBe(OUTCOMES[expected.stage]);
  expect(body.max_output_tokens).toBe(expected.output_len);
  expect(body.tokens).toEqual({
    before: expected.history_tokens_before,
    after: expected.history_tokens_after,
    budget: expected.budget,
    context_window: input.options.context_length,
    request_overhead: 0,
  });
  expect(body.messages.map(tokensOf)).toEqual(
    tokensAfter.map((after, i) => [
      expected.content_tokens_before[i],
      expected.attachment_tokens_before[i],
      0,
      after,
    ]),
  );
  expect(body.conversation.messages).toEqual(
    kept.map(({ index, ...change }) => ({ ...input.messages[index], ...change })),
  );
  expect(body.edits).toEqual(editsOf(kept, input.messages.length));
}

const tokensOf = (message: Record<string, number>) => [
  message.content_tokens,
  message.attachment_tokens,
  message.other_tokens,
  message.tokens_after,
];

function editsOf(kept: readonly { index: number; content?: string }[], messageCount: number): object[] {
  const byIndex = new Map(kept.map((entry) => [entry.index, entry]));
  return Array.from({ length: messageCount }, (_, index) => index).flatMap((index): object[] => {
    const entry = byIndex.get(index);
    if (entry === undefined) return [{ op: 'drop', index }];
    return entry.content === undefined ? [] : [{ op: 'replace_content', index, content: entry.content }];
  });
}
