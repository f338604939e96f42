import { expect, test } from 'vitest';
import { post, send } from '../harness/http.js';
import { metricsOf } from '../harness/metrics.js';
import { expectProblem } from '../harness/problems.js';
import { startServer } from '../harness/server-process.js';
import { waitFor } from '../harness/wait-for.js';
import { largeText, SLOW, startCounting } from './large-work.js';

const small = { text: 'hello world', encoding: 'o200k_base' };

/** Text that a thread takes as one piece, since it has to be written another way first. */
const withLoneSurrogate = (text: string) => `${text}\ud800`;

test.each([
  ['base64', (text: string) => text],
  ['a text with a lone surrogate', withLoneSurrogate],
])('when the caller of %s leaves, the thread does little more and is free again', async (_, kind) => {
  const server = await startServer({ ...SLOW, PREFLIGHT_THREADS: '1' });
  await post(server.url, '/v1/count', small);
  const [counted, left] = [kind(largeText(41)), kind(largeText(42))];
  const beforeSeconds = await cpuSeconds(server.url);
  expect((await startCounting(server.url, counted).answer).status).toBe(200);
  const wholeSeconds = (await cpuSeconds(server.url)) - beforeSeconds;

  const controller = new AbortController();
  const encodedBytes = await figure(server.url, 'preflight_encoded_bytes_total');
  const { answer } = startCounting(server.url, left, { signal: controller.signal });
  await waitFor(async () => (await figure(server.url, 'preflight_encoded_bytes_total')) > encodedBytes, {
    what: 'a thread that counts',
  });
  const leftSeconds = await cpuSeconds(server.url);
  controller.abort();
  await expect(answer).rejects.toThrow();
  await waitFor(async () => (await figure(server.url, 'preflight_pool_tasks{state="running"}')) === 0);
  expect((await cpuSeconds(server.url)) - leftSeconds).toBeLessThan(wholeSeconds / 2);
  expect((await post(server.url, '/v1/count', { ...small, text: 'new '.repeat(999) })).status).toBe(200);
});

/** Processor time of the server: what was done, however busy the machine is. */
const cpuSeconds = (url: string) => figure(url, 'process_cpu_seconds_total');

async function figure(url: string, name: string): Promise<number> {
  return (await metricsOf(url)).get(name) ?? Number.NaN;
}

test.each([
  ['base64', (text: string) => text],
  ['a text with a lone surrogate', withLoneSurrogate],
])('a deadline answers 504 for %s, and the thread is free afterwards', async (_, kind) => {
  const server = await startServer({ ...SLOW, PREFLIGHT_THREADS: '1', PREFLIGHT_DEADLINE_MS: '800' });
  await post(server.url, '/v1/count', small);
  const answer = await startCounting(server.url, kind(largeText(43, 8))).answer;
  expectProblem(answer, 504, 'deadline_exceeded');
  expect(answer.body.figures).toEqual({ deadline_ms: 800 });
  const isFree = async () =>
    (await post(server.url, '/v1/count', { ...small, text: 'new '.repeat(999) })).status === 200;
  await waitFor(isFree, { timeoutMs: 4_000 });
});

test('a body that never comes to its end is given up at the deadline', async () => {
  const server = await startServer({ PREFLIGHT_DEADLINE_MS: '500' });
  const headers = { 'content-type': 'application/json', 'content-length': '1000' };
  const ended = await send(server.url, {
    path: '/v1/count',
    headers,
    body: '{"text":"',
    isEndless: true,
  }).then(
    ({ status }) => status,
    () => 'closed',
  );
  expect(['closed', 408, 504]).toContain(ended);
});

test('more bytes than may be held at one time are refused until there is room again', async () => {
  const mebibyte = String(1024 * 1024);
  const server = await startServer({
    PREFLIGHT_BODY_LIMIT_BYTES: mebibyte,
    PREFLIGHT_QUEUE_LIMIT_BYTES: mebibyte,
  });
  const holder = new AbortController();
  const held = send(server.url, {
    path: '/v1/count',
    headers: { 'content-type': 'application/json', 'content-length': '900000' },
    body: '{"text":"',
    isEndless: true,
    signal: holder.signal,
  });
  held.catch(() => undefined);
  const payload = { encoding: 'o200k_base', text: 'a b c d '.repeat(40_000) };
  const refused = await waitFor(async () => {
    const answer = await post(server.url, '/v1/count', payload);
    return answer.status !== 200 && answer;
  });
  expectProblem(refused, 503, 'overloaded');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await post(server.url, '/v1/count', small)).status).toBe(200);

  holder.abort();
  await expect(held).rejects.toThrow();
  await waitFor(async () => (await post(server.url, '/v1/count', payload)).status === 200);
});
