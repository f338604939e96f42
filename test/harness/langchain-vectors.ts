import { describe, expect, test } from 'vitest';
import {
  type ApproximateVector,
  approximateVectors,
  generatedVectors,
  type TrimVector,
  trimVectors,
  type VectorMessage,
} from '../conformance/langchain-vectors.js';
import { type HttpAnswer, post } from './http.js';

const COUNTERS = {
  len: 'len',
  approximate: 'approximate',
  'o200k+4': { encoding: 'o200k_base', per_message_tokens: 4 },
} as const;

/** How the messages of vectors, which are those of Chat Completions, are sent. */
export interface Writing {
  readonly format: string;
  write(message: VectorMessage): object;
}

const AS_THEY_ARE: Writing = { format: 'openai-chat', write: (message) => message };

const TYPES: Readonly<Record<string, string>> = { user: 'human', assistant: 'ai' };

/** As LangChain stores messages whose calls it has not read; it has no empty lists of parts. */
export const AS_STORED: Writing = {
  format: 'langchain',
  write: ({ role, content, tool_calls, ...fields }) => ({
    type: TYPES[role] ?? role,
    data: {
      ...fields,
      content: Array.isArray(content) && content.length === 0 ? '' : content,
      additional_kwargs: { ...(tool_calls === undefined ? {} : { tool_calls }) },
    },
  }),
};

/** All vectors of langchain-core against a service that runs; `url` is asked when the tests do. */
export function langchainVectorTests(url: () => string, writing = AS_THEY_ARE): void {
  test('all 299, 300 and 11 vectors are there', () => {
    const files = [trimVectors, generatedVectors, approximateVectors];
    expect(files.map(({ length }) => length)).toEqual([299, 300, 11]);
  });

  describe.each([
    ['langchain-trim.jsonl', trimVectors],
    ['langchain-generated.jsonl', generatedVectors],
  ])('%s', (_file, vectors) => {
    test.each(vectors.map((vector) => [vector.id, vector] as const))('%s', async (_id, vector) => {
      expectTrimmed(await post(url(), '/v1/preflight', trimRequest(vector, writing)), vector, writing);
    });
  });

  describe('langchain-approx.jsonl', () => {
    test.each(approximateVectors.map((vector) => [vector.id, vector] as const))('%s', async (_id, vector) => {
      const { status, body } = await post(url(), '/v1/count', countRequest(vector, writing));
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

function trimRequest({ input }: TrimVector, { format, write }: Writing): object {
  return {
    format,
    messages: input.messages.map(write),
    strategy: 'trim_messages',
    trim_messages: { ...input.options, token_counter: COUNTERS[input.counter] },
    return: 'conversation',
  };
}

function countRequest({ input }: ApproximateVector, { format, write }: Writing): object {
  return { format, messages: input.messages.map(write), token_counter: 'approximate' };
}

function expectTrimmed(
  { status, headers, body }: HttpAnswer,
  { input, expected }: TrimVector,
  { write }: Writing,
): void {
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
    [...changes].map(([index, change]) => write({ ...messages[index], ...change } as VectorMessage)),
  );
  expect(body.edits).toEqual(edits);
  expect(body.tokens).toEqual({
    before: expected.total_tokens,
    after: expected.tokens,
    budget: options.max_tokens,
  });
  const fits = edits.length === 0 && expected.tokens <= options.max_tokens;
  expect(body.outcome).toBe(fits ? 'fits' : 'trimmed');
  if (expected.hazards) expect(body.hazards.toSorted()).toEqual(expected.hazards.toSorted());
  expect(body.messages.map(tokensOf)).toEqual(expected.message_tokens);
  const afterTokens = body.messages.map((row: Row) => row.tokens_after);
  expect(afterTokens.reduce((sum: number, count: number) => sum + count, 0)).toBe(expected.tokens);
}

type Row = Record<'content_tokens' | 'attachment_tokens' | 'other_tokens' | 'tokens_after', number>;

function tokensOf(row: Row): number {
  return row.content_tokens + row.attachment_tokens + row.other_tokens;
}
