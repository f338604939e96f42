import { randomBytes } from 'node:crypto';
import { PreflightClient } from '@preflight/client';
import { trimmedResponse } from '@preflight/contracts';
import { get_encoding } from 'tiktoken';
import { Value } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonFile } from '../cli/sample.js';
import { ndjson, postBatch } from '../harness/batches.js';
import { referenceTo } from '../harness/blobs.js';
import { BOTH_WAYS, type Running } from '../harness/both-ways.js';
import { type HttpAnswer, post } from '../harness/http.js';
import { expectProblem } from '../harness/problems.js';
import { runCommand, startServer } from '../harness/server-process.js';
import { comparable, finalAnswer, submit } from '../jobs/job-calls.js';

const user = (content: unknown) => ({ role: 'user', content });
const o200k = { encoding: 'o200k_base', per_message_tokens: 4 };
const trimBody = (messages: unknown, options: object) => ({
  messages,
  strategy: 'trim_messages',
  trim_messages: { max_tokens: 9, token_counter: 'len', ...options },
});

describe.each(BOTH_WAYS)('trim_messages, %s', (_, start) => {
  let service: Running;
  beforeAll(async () => {
    service = await start();
  });
  const trim = (messages: unknown, options: object, more: object = {}): Promise<HttpAnswer> =>
    post(service.url, '/v1/preflight', { ...trimBody(messages, options), ...more });

  test.each(['lines', 'words'])(
    'a long text is shortened by %s to what its recount says',
    async (splitter) => {
      const text = Array.from(
        { length: 60_000 },
        (_, i) => `line ${i} of \u00e9 long \ud83d\udc4b text\n`,
      ).join('');
      const options = { max_tokens: 5000, allow_partial: true, text_splitter: splitter };
      const counters = { tokens: o200k, approximate: 'approximate' } as const;
      for (const [name, token_counter] of Object.entries(counters)) {
        const { status, body } = await trim([user('old'), user(text)], { ...options, token_counter });
        expect(status).toBe(200);
        expect([...Value.Errors(trimmedResponse, body)]).toEqual([]);
        const [drop, edit] = body.edits;
        expect([drop, edit.op, edit.index]).toEqual([{ op: 'drop', index: 0 }, 'replace_content', 1]);
        expect(text.endsWith(edit.content)).toBe(true);
        const count = name === 'tokens' ? tokensIn(edit.content) + 4 : approximateTokens(edit.content);
        expect(body.tokens.after).toBe(count);
        expect(count).toBeGreaterThan(4950);
        expect(count).toBeLessThanOrEqual(5000);
      }
    },
  );

  test('a job, a line of a batch and a call are answered the same', async () => {
    const messages = [user('one'), user('two '.repeat(9000)), user('three')];
    const body = trimBody(messages, {
      max_tokens: 600,
      token_counter: o200k,
      allow_partial: true,
      text_splitter: 'words',
    });
    const call = await post(service.url, '/v1/preflight', body);
    expect(call.body.outcome).toBe('trimmed');
    expect(call.body.messages.map(({ action }: { action: string }) => action)).toEqual([
      'dropped',
      'cut',
      'kept',
    ]);
    const { body: job } = await submit(service.url, '/v1/preflight', body);
    expect(comparable(await finalAnswer(service.url, job.id))).toEqual(comparable(call));
    const { text } = await postBatch(service.url, 'results=inline', ndjson([body]));
    const result = JSON.parse(text.trimEnd().split('\n')[0] as string);
    expect(comparable({ ...call, body: result.body, status: result.status })).toEqual(comparable(call));
    for (const token_counter of ['len', 'approximate']) {
      const other = trimBody(messages, { max_tokens: 2, token_counter });
      const { body: submitted } = await submit(service.url, '/v1/preflight', other);
      const answer = await post(service.url, '/v1/preflight', other);
      expect(comparable(await finalAnswer(service.url, submitted.id))).toEqual(comparable(answer));
    }
  });

  test('a file by digest counts as its base64 does', async () => {
    const bytes = randomBytes(100_000);
    const file = { filename: 'a.pdf', file_data: `data:application/pdf;base64,${bytes.toString('base64')}` };
    const messages = (given: object) => [user([{ type: 'file', file: given }])];
    const counted = async (given: object) =>
      post(service.url, '/v1/count', { messages: messages(given), token_counter: 'approximate' });
    const inline = await counted(file);
    // The length of the part as Python prints it, and of `user`.
    const printed = `{'type': 'file', 'file': {'filename': 'a.pdf', 'file_data': '${file.file_data}'}}`;
    expect(inline.body.tokens).toBe(3 + Math.ceil((printed.length + 4) / 4));
    const byDigest = await counted({ ...file, file_data: referenceTo(bytes, 'application/pdf') });
    expect(byDigest.body).toMatchObject({ tokens: inline.body.tokens, exact: false });
  });

  test('the client applies the edits', async () => {
    const client = new PreflightClient({ baseUrl: service.url });
    const messages = [user('one'), user('two')];
    const { answer, request } = await client.preflight({
      messages,
      strategy: 'trim_messages',
      trim_messages: { max_tokens: 1, token_counter: 'len' },
    });
    expect(answer.hazards).toEqual([]);
    expect(request).toEqual({ messages: [user('two')] });
    expect(messages).toHaveLength(2);
  });

  test.each([
    ['messages that are none', { messages: ['text'] }, 'invalid_request', '/messages/0'],
    ['no role', { messages: [{ content: 'x' }] }, 'invalid_request', '/messages/0/role'],
    ['content of a kind that is none', { messages: [user(3)] }, 'invalid_request', '/messages/0/content'],
    ['a part that is a number', { messages: [user([3])] }, 'invalid_request', '/messages/0/content/0'],
    [
      'a text that is none',
      { messages: [user([{ type: 'text', text: 1 }])] },
      'invalid_request',
      '/messages/0/content/0/text',
    ],
    [
      'calls that are none',
      { messages: [{ role: 'assistant', tool_calls: [1] }] },
      'invalid_request',
      '/messages/0/tool_calls/0',
    ],
    [
      'an id that is none',
      { messages: [{ role: 'tool', tool_call_id: 1 }] },
      'invalid_request',
      '/messages/0/tool_call_id',
    ],
    ['no options', { trim_messages: undefined }, 'invalid_request', '/trim_messages'],
    ['options beside another strategy', { strategy: 'truncate' }, 'invalid_request', '/trim_messages'],
    ['options of a fit', { budget_tokens: 3 }, 'unsupported_option', '/budget_tokens'],
    ['options of counts', { count: 'content' }, 'unsupported_option', '/count'],
    ['options of other strategies', { pins: [0] }, 'unsupported_option', '/pins'],
    [
      'no such encoding',
      options({ token_counter: { encoding: 'o300k', per_message_tokens: 1 } }),
      'unknown_encoding',
      '/trim_messages/token_counter/encoding',
    ],
    [
      'no such counter',
      options({ token_counter: 'words' }),
      'invalid_request',
      '/trim_messages/token_counter',
    ],
    ['no such type', options({ start_on: 'robot' }), 'invalid_request', '/trim_messages/start_on'],
    ['no budget', options({ max_tokens: null }), 'invalid_request', '/trim_messages/max_tokens'],
    ['an option that is none', options({ max_token: 3 }), 'invalid_request', '/trim_messages/max_token'],
  ] as const)('refused with its place: %s', async (_what, more, code, pointer) => {
    const body = { ...trimBody([user('x')], {}), ...more };
    const answer = await post(service.url, '/v1/preflight', body);
    expectProblem(answer, 400, code);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  test('an empty list, and everything at once', async () => {
    const { body: empty } = await trim([], { max_tokens: 0 });
    expect(empty).toMatchObject({ outcome: 'fits', edits: [], hazards: [], tokens: { before: 0, after: 0 } });
    const odd = [
      { role: 'robot', content: null, extra: 1 },
      { role: 'assistant', tool_calls: null },
      user(['bare', { type: 'x' }]),
    ];
    for (const token_counter of ['len', 'approximate', o200k]) {
      const { status, body } = await trim(
        odd,
        { max_tokens: 1000, token_counter },
        { return: 'conversation' },
      );
      expect(status).toBe(200);
      expect(body.conversation.messages).toEqual(odd);
    }
  });
});

test('an approximate count takes no options of other counts', async () => {
  const service = await startServer();
  const body = { messages: [user('x')], token_counter: 'approximate' };
  for (const more of [{ encoding: 'o200k_base' }, { count: 'content' }])
    expectProblem(await post(service.url, '/v1/count', { ...body, ...more }), 400, 'unsupported_option');
  const { status } = await post(service.url, '/v1/count', { ...body, model: 'gpt-4o', agent: 'a' });
  expect(status).toBe(200);
});

test('the command takes options of the strategy, and prints hazards', async () => {
  const file = await jsonFile([user('one'), { role: 'tool', tool_call_id: 'x', content: 'two' }]);
  const strategy = ['--strategy', 'trim_messages'];
  const given = ['--trim-messages', '{"max_tokens":1,"token_counter":"len"}'];
  const { code, stdout } = await runCommand(['fit', file, ...strategy, ...given]);
  expect(code).toBe(0);
  expect(stdout).toContain('hazard: orphan_tool_result:1');
  const refused = await runCommand(['fit', file, ...strategy, '--trim-messages', '[1]']);
  expect(refused.code).toBe(64);
  const counted = await runCommand(['count', file, '--token-counter', 'approximate']);
  expect(counted.stdout).toContain('10 tokens (not exact)');
});

function options(more: object) {
  return { trim_messages: { max_tokens: 9, token_counter: 'len', ...more } };
}

const encoder = get_encoding('o200k_base');

function tokensIn(text: string): number {
  return encoder.encode_ordinary(text).length;
}

function approximateTokens(text: string): number {
  return Math.ceil([...`user${text}`].length / 4) + 3;
}
