import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { get, post } from '../harness/http.js';
import { expectProblem } from '../harness/problems.js';
import { headOfPost, RawConnection } from '../harness/raw-connection.js';
import { startServer } from '../harness/server-process.js';
import { waitFor } from '../harness/wait-for.js';
import { largeText, SLOW, startCounting } from './large-work.js';

const small = { text: 'hello world', encoding: 'o200k_base' };

test('it says when it is ready', async () => {
  const server = await startServer();
  expect((await get(server.url, '/health/live')).body).toEqual({ status: 'live' });
  expect((await get(server.url, '/health/ready')).body).toEqual({ status: 'ready' });
  expect((await post(server.url, '/v1/count', small)).body.tokens).toBe(2);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s without work ends it with 0', async (signal) => {
  const server = await startServer();
  server.child.kill(signal);
  expect(await server.exited).toBe(0);
});

test('after SIGTERM running requests finish, new ones are refused, and it ends by itself with 0', async () => {
  const server = await startServer({ ...SLOW, PREFLIGHT_THREADS: '1' });
  await post(server.url, '/v1/count', small);
  const { answer } = startCounting(server.url, largeText(31));
  let isOver = false;
  answer.finally(() => {
    isOver = true;
  });
  await waitFor(() => isBusy(server.url));
  expect(isOver).toBe(false);

  server.child.kill('SIGTERM');
  await waitFor(() => server.output().includes('"stopping"'), { state: server.output });
  const refused = await post(server.url, '/v1/count', small);
  expectProblem(refused, 503, 'shutting_down');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expectProblem(await get(server.url, '/health/ready'), 503, 'shutting_down');
  expect((await get(server.url, '/health/live')).status).toBe(200);
  expect(isOver).toBe(false);

  expect((await answer).status).toBe(200);
  expect(await server.exited).toBe(0);
});

/** A text that nobody has counted waits for the only thread. */
let texts = 0;
async function isBusy(url: string): Promise<boolean> {
  const messages = [{ role: 'user', content: `${texts++} ${'waits '.repeat(300)}` }];
  const { body } = await post(url, '/v1/preflight', {
    encoding: 'o200k_base',
    context_window: 99_999,
    messages,
  });
  return body.timing.queue_ms > 5;
}

test.each([
  ['that sent nothing', ''],
  ['that sent half a head', 'POST /v1/count HTTP/1.1\r\n'],
  ['that is kept alive', 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n'],
])('a connection %s does not hold up the end', async (_, bytes) => {
  const server = await startServer();
  const connection = await RawConnection.to(server.url);
  connection.send(bytes);
  if (bytes.startsWith('GET')) expect((await connection.answer()).status).toBe(200);
  else await get(server.url, '/health/live');
  const startMs = performance.now();
  server.child.kill('SIGTERM');
  expect(await server.exited, server.output()).toBe(0);
  expect(performance.now() - startMs).toBeLessThan(10_000);
});

const large = { 'content-length': 100_000 };
const emptyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

test.each([
  ['of JSON', headOfPost('/v1/count', large), '{"text":'],
  ['of which nothing came', headOfPost('/v1/count', large), ''],
  [
    'of an attachment',
    `PUT /v1/blobs/${emptyDigest} HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n`,
    'half',
  ],
])('an upload %s that stands still is refused and does not hold up the end', async (_, head, bytes) => {
  const server = await startServer({ PREFLIGHT_DRAIN_MS: '20000' });
  const connection = await RawConnection.to(server.url);
  await connection.beginUpload(head);
  connection.send(bytes);
  server.child.kill('SIGTERM');
  const answer = await connection.answer();
  expectProblem(answer, 503, 'shutting_down');
  expect(answer.headers.connection).toBe('close');
  expect(await server.exited, server.output()).toBe(0);
});

test('an upload that goes on while the service stops is answered', async () => {
  const server = await startServer();
  const body = JSON.stringify(small);
  const connection = await RawConnection.to(server.url);
  await connection.beginUpload(headOfPost('/v1/count', { 'content-length': body.length + 30 }));
  server.child.kill('SIGTERM');
  // Three seconds: longer than an upload may be silent.
  for (let i = 0; i < 30; i++) {
    connection.send(' ');
    await sleep(100);
  }
  connection.send(body);
  expect(await connection.answer()).toMatchObject({ status: 200, body: { tokens: 2 } });
  expect(await server.exited, server.output()).toBe(0);
});

test('who goes on sending behind a refusal does not hold up the end', async () => {
  const server = await startServer({ PREFLIGHT_DRAIN_MS: '4000' });
  const connection = await RawConnection.to(server.url);
  const chunk = '21\r\n{"model":"gpt-4o","messages":[]}\n\r\n';
  const types = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' };
  connection.send(headOfPost('/v1/batches?id=endless', types));
  const sending = setInterval(() => connection.socket.writable && connection.send(chunk), 20);
  onTestFinished(() => clearInterval(sending));
  await waitFor(async () => (await startReading(server.url, 'endless')) === 200);
  server.child.kill('SIGTERM');
  expectProblem(await connection.answer(), 503, 'shutting_down');
  expect(await server.exited, server.output()).toBe(0);
});

/** Begins to read the results of a batch, and tells the status. */
async function startReading(url: string, batchId: string): Promise<number> {
  const answer = await fetch(`${url}/v1/batches/${batchId}/results`);
  answer.text().catch(() => undefined);
  return answer.status;
}
