import { ERROR_CATALOG, type ErrorCode, PreflightError } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { type HttpAnswer, post, send } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';
import { MARKER } from '../harness/problems.js';
import { waitFor } from '../harness/wait-for.js';
import { whileHeld } from '../harness/while-held.js';

const api = await startApi({ PREFLIGHT_BODY_LIMIT_BYTES: '1048576', PREFLIGHT_MAX_MESSAGES: '2' });
/** Whose work ends in an error of each kind that comes while a request is worked on. */
const failing = async (code: ErrorCode) => {
  const fail = () => Promise.reject(new PreflightError(code, { internalDetail: MARKER }));
  return [code, (await startApi({}, { work: { preflight: fail, count: fail, trim: fail } })).url] as const;
};
const failures = new Map(
  await Promise.all(
    (['overloaded', 'storage_unavailable', 'deadline_exceeded', 'internal_error'] as const).map(failing),
  ),
);

const openaiShape = (status: number) => ({
  error: {
    message: expect.any(String),
    type: status < 500 ? 'invalid_request_error' : 'server_error',
    param: expect.toBeOneOf([null, expect.any(String)]),
    code: expect.any(String),
  },
});

const ANTHROPIC: Record<number, string> = { 413: 'request_too_large', 503: 'overloaded_error' };
const GOOGLE: Record<number, string> = { 503: 'UNAVAILABLE', 504: 'DEADLINE_EXCEEDED', 500: 'INTERNAL' };

const message = { role: 'user', content: 'hi' };
const model = 'gpt-4o';
const routes: [path: string, body: Record<string, unknown>, shape: (status: number) => object][] = [
  [
    '/v1/messages/count_tokens',
    { model, messages: [message] },
    (status) => ({
      type: 'error',
      error: {
        type: ANTHROPIC[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'),
        message: expect.any(String),
      },
      request_id: expect.any(String),
    }),
  ],
  ['/v1/responses/input_tokens', { model, input: [message] }, openaiShape],
  [
    '/v1beta/models/gemini-2.5-pro:countTokens',
    { contents: [{ parts: [{ text: 'hi' }] }] },
    (status) => ({
      error: { code: status, message: expect.any(String), status: GOOGLE[status] ?? 'INVALID_ARGUMENT' },
    }),
  ],
  ['/utils/token_counter', { model, messages: [message] }, openaiShape],
  [
    '/tokenize',
    { model, messages: [message] },
    (status) => ({
      error: {
        message: expect.any(String),
        type: status < 500 ? 'BadRequestError' : 'InternalServerError',
        param: expect.toBeOneOf([null, expect.any(String)]),
        code: status,
      },
    }),
  ],
  ['/v1/chat/completions/input_tokens', { model, messages: [message] }, openaiShape],
];

const headers = { 'content-type': 'application/json' };

describe.each(routes)('%s', (path, body, shape) => {
  function expectShape(answer: HttpAnswer, status: number): void {
    expect(answer.status, answer.text).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.body).toEqual(shape(status));
    expect(answer.text).not.toContain(MARKER);
  }

  const raw = (text: string, more = {}) =>
    send(api.url, { path, headers: { ...headers, ...more }, body: text });

  test.each([
    ['no JSON', `{"${MARKER}`],
    ['a list', `["${MARKER}"]`],
    ['null', 'null'],
    ['a text', `"${MARKER}"`],
    ['nothing', ''],
    ['lists in lists', '['.repeat(1000)],
  ])('a body that is %s', async (_, text) => {
    expectShape(await raw(text), 400);
  });

  test('no body, a body of another kind, or one that is packed', async () => {
    expectShape(await send(api.url, { path }), 400);
    expectShape(await send(api.url, { path, headers: { 'content-type': 'text/plain' }, body: MARKER }), 415);
    expectShape(await raw('{}', { 'content-encoding': 'gzip' }), 415);
  });

  test('a body that is too large says how large it may be', async () => {
    const answer = await raw(JSON.stringify({ ...body, more: 'x'.repeat(1_048_576) }));
    expectShape(answer, 413);
    expect(answer.text).toContain('1048576');
  });

  test('a model that is none', async () => {
    if (path.includes(':')) return;
    for (const wrong of [5, {}, MARKER.repeat(1000)])
      expectShape(await post(api.url, path, { ...body, model: wrong }), 400);
  });

  test.each([...failures])('what fails: %s', async (code, url) => {
    const { httpStatus, retry } = ERROR_CATALOG[code];
    const answer = await post(url, path, body);
    expectShape(answer, httpStatus);
    expect(answer.headers['retry-after'] !== undefined).toBe(retry === 'after');
  });

  test('another method is told which one is right', async () => {
    const answer = await send(api.url, { path, method: 'GET' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  });
});

test('a full service, and one that stops, say so in the shape of each route', async () => {
  const narrow = await startApi({
    PREFLIGHT_BODY_LIMIT_BYTES: '1048576',
    PREFLIGHT_QUEUE_LIMIT_BYTES: '1048576',
  });
  await whileHeld(narrow.url, async () => {
    const large = { more: 'a b c d '.repeat(50_000) };
    for (const [path, body, shape] of routes) {
      const answer = await waitFor(async () => {
        const found = await post(narrow.url, path, { ...body, ...large });
        return found.status !== 200 && found;
      });
      expect([answer.status, answer.body], path).toEqual([503, shape(503)]);
      expect(answer.headers['retry-after']).toBeDefined();
    }
    void narrow.stop();
    for (const [path, body, shape] of routes) {
      const answer = await post(narrow.url, path, body);
      expect([answer.status, answer.body], path).toEqual([503, shape(503)]);
    }
  });
});

test('none of them is logged with what was in it', () => {
  expect(api.lines.join('\n')).not.toContain(MARKER);
});

test.each([
  [
    '/v1/messages/count_tokens',
    { model, messages: [{ role: 'user', content: [5] }] },
    'messages.0.content.0',
  ],
  ['/v1/responses/input_tokens', { model, input: [{ role: 'user', content: [5] }] }, 'input[0].content[0]'],
  ['/v1beta/models/g:countTokens', { contents: [{ parts: [5] }] }, 'contents[0].parts[0]'],
  [
    '/v1beta/models/g:countTokens',
    { generate_content_request: { contents: [5] } },
    'generate_content_request.contents[0]',
  ],
  ['/v1beta/models/g:countTokens', { generateContentRequest: [] }, 'generateContentRequest'],
  ['/v1beta/models/g:countTokens', {}, 'contents'],
  ['/utils/token_counter', { messages: [message] }, 'model'],
  ['/utils/token_counter', { model, prompt: [1] }, 'prompt'],
  ['/utils/token_counter', { model, prompt: 'a', messages: [message] }, 'prompt'],
  ['/tokenize', { model }, 'body'],
  ['/tokenize', { model, prompt: 5 }, 'prompt'],
  ['/tokenize', { model, prompt: 'a', content: 'a' }, 'content'],
  ['/tokenize', { model, messages: [message], return_tokens: true }, 'return_tokens'],
  ['/tokenize', { model, messages: [message], continue_final_message: true }, 'continue_final_message'],
  ['/tokenize', { model, prompt: 'a', return_token_strs: true }, 'return_token_strs'],
  ['/tokenize', { model, content: 'a', with_pieces: true }, 'with_pieces'],
  ['/v1/chat/completions/input_tokens', { model, messages: [5] }, 'messages[0]'],
])('%s says where a body is wrong: %j', async (path, body, place) => {
  const answer = await post(api.url, path, body);
  expect(answer.status, answer.text).toBe(400);
  expect(answer.body.error.message).toMatch(new RegExp(`^${place.replace(/[.[\]]/g, '\\$&')}: `));
});
