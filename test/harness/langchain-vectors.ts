import { describe, expect, test } from 'vitest';
import {
  type ApproximateVector,
  approximateVectors,
  type TrimVector,
  trimVectors,
} from '../conformance/langchain-vectors.js';
import { type HttpAnswer, post } from './http.js';

const COUNTERS = { len: 'len', 'o200k+4': { encoding: 'o200k_base', per_message_tokens: 4 } } as const;

/** All vectors of langchain-core against a service that runs; `url` is asked when the tests do. */
export function langchainVectorTests(url: () => string): void {
  test('all 299 and 11 vectors are there', () => {
    expect([trimVectors.length, approximateVectors.length]).toEqual([299, 11]);
  });

  describe('langchain-trim.jsonl', () => {
    test.each(trimVectors.map((vector) => [vector.id, vector] as const))('%s', async (_id, vector) => {
      expectTrimmed(await post(url(), '/v1/preflight', trimRequest(vector)), vector);
    });
  });

  describe('langchain-approx.jsonl', () => {
    test.each(approximateVectors.map((vector) => [vector.id, vector] as const))('%s', async (_id, vector) => {
      const { status, body } = await post(url(), '/v1/count', countRequest(vector));
      const { tokens } = vector.expected;
      expect({ status, tokens: body.tokens, exact: body.exact }).toEqual({
        status: 200,
        tokens,
        exact: false,
      });
      expect(body.messages.map(tokensOf).reduce((sum: number, count: number) => sum + count, 0)).toBe(tokens);
    });
  });
}

function trimRequest({ input }: TrimVector): object {
  return {
    messages: input.messages,
    strategy: 'trim_messages',
    trim_messages: { ...input.options, token_counter: COUNTERS[input.counter] },
    return: 'conversation',
  };
}

function countRequest({ input }: ApproximateVector): object {
  return { messages: input.messages, token_counter: 'approximate' };
}

function expectTrimmed({ status, headers, body }: HttpAnswer, { input, expected }: TrimVector): void {
  if (expected.error) {
    expect([status, body.code]).toEqual([400, expected.error.code]);
    expect(headers['content-type']).toContain('application/problem+json');
    return;
  }
  const { messages, options } = input;
  const changes = new Map(expected.kept.map(({ index, ...change }) => [index, change]));
  const edits = messages.flatMap((_, index): object[] => {
    const change = changes.get(index);
    if (change === undefined) return [{ op: 'drop', index }];
    return 'content' in change ? [{ op: 'replace_content', index, content: change.content }] : [];
  });
  expect(status).toBe(200);
  expect(body.conversation.messages).toEqual(
    [...changes].map(([index, change]) => ({ ...messages[index], ...change })),
  );
  expect(body.edits).toEqual(edits);
  expect(body.tokens).toEqual({
    before: expected.total_tokens,
    after: expected.tokens,
    budget: options.max_tokens,
  });
  const fits = edits.length === 0 && expected.tokens <= options.max_tokens;
  expect(body.outcome).toBe(fits ? 'fits' : 'trimmed');
  expect(body.hazards.toSorted()).toEqual(expected.hazards.toSorted());
  expect(body.messages.map(tokensOf)).toEqual(expected.message_tokens);
  const afterTokens = body.messages.map((row: Row) => row.tokens_after);
  expect(afterTokens.reduce((sum: number, count: number) => sum + count, 0)).toBe(expected.tokens);
}

type Row = Record<'content_tokens' | 'attachment_tokens' | 'other_tokens' | 'tokens_after', number>;

function tokensOf(row: Row): number {
  return row.content_tokens + row.attachment_tokens + row.other_tokens;
}
