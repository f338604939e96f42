import { MAX_BODY_BYTES } from '@preflight/body';
import { settingsSchema } from '@preflight/runtime';
import { expect, test } from 'vitest';
import { get, post, send } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';
import { expectProblem, MARKER } from '../harness/problems.js';

const LIMIT_BYTES = 100_000;
const api = await startApi({ PREFLIGHT_BODY_LIMIT_BYTES: String(LIMIT_BYTES), PREFLIGHT_MAX_MESSAGES: '20' });
const headers = { 'content-type': 'application/json' };

/** A body of just so many bytes. */
function bodyOf(bytes: number): string {
  const rest = `{"encoding":"o200k_base","text":""}`.length;
  return `{"encoding":"o200k_base","text":"${'a b '.repeat(bytes).slice(0, bytes - rest)}"}`;
}

test('the largest limit that can be set is the largest body that can be parsed', () => {
  expect(settingsSchema.properties.PREFLIGHT_BODY_LIMIT_BYTES).toMatchObject({ maximum: MAX_BODY_BYTES });
});

test('a body at the limit is taken', async () => {
  const body = bodyOf(LIMIT_BYTES);
  expect(Buffer.byteLength(body)).toBe(LIMIT_BYTES);
  expect((await post(api.url, '/v1/count', JSON.parse(body))).status).toBe(200);
});

test('a body that announces more is refused before it comes, with limit and size', async () => {
  const answer = await send(api.url, {
    path: '/v1/count',
    headers: { ...headers, 'content-length': String(LIMIT_BYTES + 1) },
    isEndless: true,
  });
  expectProblem(answer, 413, 'body_too_large');
  expect(answer.body.figures).toEqual({ limit_bytes: LIMIT_BYTES, size_bytes: LIMIT_BYTES + 1 });
  expect(answer.body.detail).toContain(String(LIMIT_BYTES));
});

test('a chunked body that becomes too long is refused, with limit and size so far', async () => {
  const chunk = Buffer.from(bodyOf(LIMIT_BYTES / 2 + 10));
  const answer = await send(api.url, {
    path: '/v1/preflight',
    headers,
    body: [chunk, chunk],
    isEndless: true,
  });
  expectProblem(answer, 413, 'body_too_large');
  expect(answer.body.figures.limit_bytes).toBe(LIMIT_BYTES);
  expect(answer.body.figures.size_bytes).toBeGreaterThan(LIMIT_BYTES);
});

test('a whole body over the limit that is sent anyway gets its answer', async () => {
  const answer = await send(api.url, { path: '/v1/count', headers, body: bodyOf(LIMIT_BYTES + 500) });
  expectProblem(answer, 413, 'body_too_large');
});

test('too many messages are refused with both numbers', async () => {
  const messages = Array.from({ length: 21 }, () => ({ role: 'user', content: MARKER }));
  const answer = await post(api.url, '/v1/count', { encoding: 'o200k_base', messages });
  expectProblem(answer, 400, 'too_many_messages');
  expect(answer.body.figures).toEqual({ limit: 20, messages: 21 });
});

test('a caller that leaves in the middle of its body leaves nothing behind', async () => {
  for (let i = 0; i < 20; i++) {
    const controller = new AbortController();
    const leaving = send(api.url, {
      path: '/v1/count',
      // The service says when it has begun to take the body.
      headers: { ...headers, 'content-length': '90000', expect: '100-continue' },
      body: '{"text":"',
      isEndless: true,
      signal: controller.signal,
      onContinue: () => controller.abort(),
    });
    await expect(leaving).rejects.toThrow();
  }
  expect((await get(api.url, '/health/ready')).status).toBe(200);
  expect((await post(api.url, '/v1/count', { text: 'a', encoding: 'o200k_base' })).body.tokens).toBe(1);
});
