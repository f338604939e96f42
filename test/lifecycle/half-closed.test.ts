import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { headOfPost, RawConnection } from '../harness/raw-connection.js';
import { startServer } from '../harness/server-process.js';
import { waitFor } from '../harness/wait-for.js';
import { largeText, SLOW } from './large-work.js';

const bodyOf = (text: string) => JSON.stringify({ text, encoding: 'o200k_base' });

test.each([
  ['at once', 'hello world'],
  ['after seconds', largeText(51)],
])('who ends its side of the connection gets its answer, %s', async (_, text) => {
  const server = await startServer({ ...SLOW, PREFLIGHT_THREADS: '1' });
  const connection = await RawConnection.to(server.url);
  connection.post('/v1/count', bodyOf(text));
  connection.socket.end();
  const answer = await connection.answer();
  expect(answer.status, answer.text).toBe(200);
  expect(await connection.end()).toBe('end');
  const { body } = await post(server.url, '/v1/count', JSON.parse(bodyOf(text)));
  expect(answer.body.tokens).toBe(body.tokens);
});

test('who ends its side in the middle of its body is told so', async () => {
  const server = await startServer();
  const connection = await RawConnection.to(server.url);
  connection.send(`${headOfPost('/v1/count', { 'content-length': 100 })}{`);
  connection.socket.end();
  expect(await connection.answer()).toMatchObject({ status: 400, body: { code: 'malformed_http' } });
  expect(await connection.end()).toBe('end');
});

test('who closes the connection has left, and its work is stopped', async () => {
  const server = await startServer({ ...SLOW, PREFLIGHT_THREADS: '1' });
  const connection = await RawConnection.to(server.url);
  connection.post('/v1/count', bodyOf(largeText(52, 16)));
  await waitFor(() => connection.socket.writableLength === 0);
  connection.socket.destroy();
  await waitFor(() => server.output().includes('request_cancelled'), { state: server.output });
});
