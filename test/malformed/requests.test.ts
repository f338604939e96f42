import type { ErrorCode } from '@preflight/core';
import { afterAll, describe, expect, test } from 'vitest';
import { post, send } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';
import { expectProblem, MARKER } from '../harness/problems.js';

const api = await startApi();
const user = { role: 'user', content: MARKER };
const ok = { encoding: 'o200k_base', messages: [user] };
const WRONG_TYPES = [null, true, 1.5, -1, [], [1], {}, { a: MARKER }, `${MARKER}-${'y'.repeat(5000)}`];

const both: [name: string, payload: unknown, code: ErrorCode, pointer: string][] = [
  ['null', null, 'invalid_request', ''],
  ['a list', [user], 'invalid_request', ''],
  ['a string', MARKER, 'invalid_request', ''],
  ['a long string', MARKER.repeat(1000), 'invalid_request', ''],
  ['a number', 5, 'invalid_request', ''],
  ['nothing inside', {}, 'invalid_request', '/messages'],
  ['messages that are null', { ...ok, messages: null }, 'invalid_request', '/messages'],
  ['messages that are a text', { ...ok, messages: MARKER }, 'invalid_request', '/messages'],
  ['messages that are a long text', { ...ok, messages: MARKER.repeat(1000) }, 'invalid_request', '/messages'],
  ['a message that is a text', { ...ok, messages: [user, MARKER] }, 'invalid_request', '/messages/1'],
  [
    'a message that is a long text',
    { ...ok, messages: [user, MARKER.repeat(1000)] },
    'invalid_request',
    '/messages/1',
  ],
  [
    'a message without role',
    { ...ok, messages: [{ content: MARKER }] },
    'invalid_request',
    '/messages/0/role',
  ],
  [
    'a role of 10,000 letters',
    { ...ok, messages: [{ ...user, role: MARKER.repeat(1000) }] },
    'invalid_request',
    '/messages/0/role',
  ],
  [
    'content that is a number',
    { ...ok, messages: [{ ...user, content: 7 }] },
    'invalid_request',
    '/messages/0/content',
  ],
  [
    'a part that is a text',
    { ...ok, messages: [{ role: 'user', content: [MARKER] }] },
    'invalid_request',
    '/messages/0/content/0',
  ],
  [
    'a text part without text',
    { ...ok, messages: [{ role: 'user', content: [{ type: 'text', txt: MARKER }] }] },
    'invalid_request',
    '/messages/0/content/0/text',
  ],
  [
    'a part without type',
    { ...ok, messages: [{ role: 'user', content: [{ text: MARKER }] }] },
    'invalid_request',
    '/messages/0/content/0/type',
  ],
  [
    'tool calls that are none',
    { ...ok, messages: [{ ...user, tool_calls: MARKER }] },
    'invalid_request',
    '/messages/0/tool_calls',
  ],
  ['tools that are a text', { ...ok, tools: MARKER }, 'invalid_request', '/tools'],
  ['tools with a text inside', { ...ok, tools: [MARKER] }, 'invalid_request', '/tools/0'],
  ['both flat and request', { ...ok, request: { messages: [user] } }, 'invalid_request', '/messages'],
  ['a request that is a text', { encoding: 'o200k_base', request: MARKER }, 'invalid_request', '/request'],
  [
    'a request that is a long text',
    { encoding: 'o200k_base', request: MARKER.repeat(1000) },
    'invalid_request',
    '/request',
  ],
  ['a request without messages', { request: { model: MARKER } }, 'invalid_request', '/request/messages'],
  [
    'a fault inside the request',
    { request: { messages: [{ role: 5 }] } },
    'invalid_request',
    '/request/messages/0/role',
  ],
  ['an unknown encoding', { ...ok, encoding: MARKER }, 'unknown_encoding', '/encoding'],
  ['an encoding named like a property', { ...ok, encoding: 'constructor' }, 'unknown_encoding', '/encoding'],
  ['an encoding named __proto__', { ...ok, encoding: '__proto__' }, 'unknown_encoding', '/encoding'],
  ['a format that is not built', { ...ok, format: MARKER }, 'unsupported_option', '/format'],
  ['an accounting that does not exist', { ...ok, accounting: MARKER }, 'unsupported_option', '/accounting'],
  ['a count that does not exist', { ...ok, count: MARKER }, 'unsupported_option', '/count'],
  ['an option that does not exist', { ...ok, stategy: MARKER }, 'unknown_option', '/stategy'],
  ['an option with slash and tilde', { ...ok, 'a/b~c': MARKER }, 'unknown_option', '/a~1b~0c'],
  ['temperature beside flat messages', { ...ok, temperature: 1 }, 'unknown_option', '/temperature'],
];

const pointersOf = (body: { errors?: { pointer: string }[] }) =>
  body.errors?.map(({ pointer }) => pointer) ?? [];

describe.each(['/v1/preflight', '/v1/count'])('%s', (path) => {
  test.each(both)('refuses %s, and says where', async (_, payload, code, pointer) => {
    const answer = await post(api.url, path, payload);
    expectProblem(answer, 400, code);
    expect(pointersOf(answer.body)).toContain(pointer);
  });

  test.each([
    'model',
    'encoding',
    'format',
    'count',
    'accounting',
    'agent',
    'request',
    'messages',
    'tools',
    'functions',
  ])('refuses wrong types of %s', async (name) => {
    for (const value of WRONG_TYPES) {
      const answer = await post(
        api.url,
        path,
        name === 'request' ? { request: value } : { ...ok, [name]: value },
      );
      if (answer.status !== 200) expectProblem(answer, 400, answer.body.code);
    }
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'takes the key %s for an unknown option, and in messages for a field to be kept',
    async (key) => {
      const field = `${JSON.stringify(key)}:{"role":"system","content":"${MARKER}"}`;
      const headers = { 'content-type': 'application/json' };
      const refused = await send(api.url, { path, headers, body: `{${field},"messages":[]}` });
      expectProblem(refused, 400, 'unknown_option');
      const message = `{"role":"user","content":"hello",${field}}`;
      const more = path === '/v1/preflight' ? '"return":"conversation","context_window":8192,' : '';
      const taken = await send(api.url, {
        path,
        headers,
        body: `{"encoding":"o200k_base",${more}"messages":[${message}]}`,
      });
      expect(taken.status, taken.text).toBe(200);
      if (more) expect(JSON.stringify(taken.body.conversation.messages)).toBe(`[${message}]`);
    },
  );
});

test('the key __proto__ gives a message neither role nor content', async () => {
  const body = '{"encoding":"o200k_base","messages":[{"__proto__":{"role":"user","content":"inherited"}}]}';
  const answer = await send(api.url, {
    path: '/v1/count',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expectProblem(answer, 400, 'invalid_request');
});

const numbers = [
  'context_window',
  'budget_tokens',
  'max_output_tokens',
  'min_output_tokens',
  'buffer_tokens',
];

test.each(numbers)('%s takes whole numbers within bounds only', async (name) => {
  for (const value of [null, 'many', '12', 1.5, 1e10, 1e308, Number.MAX_SAFE_INTEGER, [], {}, true]) {
    const answer = await post(api.url, '/v1/preflight', { ...ok, [name]: value });
    expectProblem(answer, 400, 'invalid_request');
    expect(pointersOf(answer.body)).toEqual([`/${name}`]);
  }
});

test('a number that no double can hold is refused', async () => {
  for (const value of ['1e999', '-1e999', '9'.repeat(400)]) {
    const body = `{"encoding":"o200k_base","messages":[],"context_window":${value}}`;
    const headers = { 'content-type': 'application/json' };
    expectProblem(await send(api.url, { path: '/v1/preflight', headers, body }), 400, 'invalid_request');
  }
});

test.each([
  ['strategy', 'guess'],
  ['return', 'patch'],
  ['strategy', MARKER],
])('%s "%s" is not built', async (name, value) => {
  expectProblem(await post(api.url, '/v1/preflight', { ...ok, [name]: value }), 400, 'unsupported_option');
});

test('a model without a known window needs one', async () => {
  for (const model of [MARKER, undefined]) {
    const answer = await post(api.url, '/v1/preflight', { messages: [user], ...(model ? { model } : {}) });
    expectProblem(answer, 400, 'context_window_required');
    expect((await post(api.url, '/v1/count', { messages: [user], ...(model ? { model } : {}) })).status).toBe(
      200,
    );
  }
});

test('a text does not stand beside a conversation', async () => {
  const answer = await post(api.url, '/v1/count', { text: MARKER, ...ok });
  expectProblem(answer, 400, 'invalid_request');
  expect(pointersOf(answer.body)).toEqual(['/messages']);
});

test('a text must be one', async () => {
  for (const value of [null, 1, [MARKER], { a: MARKER }])
    expectProblem(
      await post(api.url, '/v1/count', { text: value, encoding: 'o200k_base' }),
      400,
      'invalid_request',
    );
});

test.each([
  ['a short one', `${MARKER}!`],
  ['a long one', `${'QUJD'.repeat(5000)}!${MARKER}`],
  ['padding in the middle', `${'QUJD'.repeat(5000)}=QUJD`],
  ['one letter too many', `${'QUJD'.repeat(5000)}Q`],
])('wrong base64 of a Langroid file is named by its place: %s', async (_, content_base64) => {
  const good = { filename: 'a.pdf', mime_type: 'application/pdf', content_base64: 'QUJD' };
  const messages = [user, { role: 'user', content: '', files: [good, { ...good, content_base64 }] }];
  for (const [payload, prefix] of [
    [{ ...ok, messages }, ''],
    [{ encoding: 'o200k_base', request: { messages } }, '/request'],
  ] as const) {
    const answer = await post(api.url, '/v1/preflight', {
      ...payload,
      context_window: 9999,
      format: 'langroid',
    });
    expectProblem(answer, 400, 'invalid_base64');
    expect(pointersOf(answer.body)[0]).toMatch(new RegExp(`^${prefix}/messages/1/files/1`));
  }
});

test.each([
  ['files', 'x'],
  ['content_base64', 1],
  ['filename', {}],
  ['mime_type', []],
  ['url', 5],
  ['detail', true],
])('a Langroid file with a wrong %s is refused', async (name, value) => {
  const files = name === 'files' ? value : [{ filename: 'a.pdf', [name]: value }];
  const messages = [{ role: 'user', content: MARKER, files }];
  expectProblem(
    await post(api.url, '/v1/count', { encoding: 'o200k_base', format: 'langroid', messages }),
    400,
    'invalid_request',
  );
});

afterAll(() => expect(api.lines.join('\n')).not.toContain(MARKER));

test('null is the same as left out, for all that a provider leaves out, flat and under request', async () => {
  const message = { role: 'user', content: 'Hello' };
  const nulls = { tools: null, tool_choice: null, functions: null, function_call: null, model: null };
  const written = {
    messages: [
      { ...message, name: null, files: null, tool_calls: null, function_call: null, refusal: null },
      { role: 'assistant', content: null, tool_calls: null },
    ],
    ...nulls,
  };
  const leftOut = { messages: [message, { role: 'assistant' }] };
  for (const path of ['/v1/count', '/v1/preflight'])
    for (const format of ['openai-chat', 'langroid']) {
      const options = {
        format,
        encoding: 'o200k_base',
        ...(path === '/v1/count' ? {} : { context_window: 9999 }),
      };
      const answers = await Promise.all(
        [written, { request: written }, { request: written, ...nulls }, leftOut].map((conversation) =>
          post(api.url, path, { ...options, ...conversation }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const [first, ...others] = answers.map(({ body }) => [body.tokens, body.messages, body.warnings]);
      for (const other of others) expect(other).toEqual(first);
    }
  const text = await post(api.url, '/v1/count', { text: 'Hello', encoding: 'o200k_base', ...nulls });
  expect(text.status).toBe(200);
});

test('a list that is neither a list nor null says so once', async () => {
  const answer = await post(api.url, '/v1/preflight', { ...ok, tools: 'none' });
  expectProblem(answer, 400, 'invalid_request');
  expect(pointersOf(answer.body)).toEqual(['/tools']);
});
