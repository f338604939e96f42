import { afterAll, expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';
import { expectProblem, MARKER } from '../harness/problems.js';
import { headOfPost, RawConnection } from '../harness/raw-connection.js';

const LIMIT_BYTES = 1_000_000;
const api = await startApi({ PREFLIGHT_BODY_LIMIT_BYTES: String(LIMIT_BYTES) });
const hasty = await startApi({ PREFLIGHT_DEADLINE_MS: '100' });
const small = '{"encoding":"o200k_base","text":"hello world"}';

afterAll(() => expect([...api.lines, ...hasty.lines].join('\n')).not.toContain(MARKER));

async function expectAlive(): Promise<void> {
  expect((await post(api.url, '/v1/count', JSON.parse(small))).body.tokens).toBe(2);
}

const chunked = headOfPost('/v1/count', { 'transfer-encoding': 'chunked' });
const noise: [name: string, bytes: string, status: number, code: Parameters<typeof expectProblem>[2]][] = [
  ['a word', `${MARKER}\r\n\r\n`, 400, 'malformed_http'],
  ['HTTP/1.1 without a host', 'GET /health/live HTTP/1.1\r\n\r\n', 400, 'malformed_http'],
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', 405, 'method_not_allowed'],
  ['zeros', '\0'.repeat(1000), 400, 'malformed_http'],
  ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00', 400, 'malformed_http'],
  ['an unknown version', `GET /${MARKER} HTTP/9.9\r\n\r\n`, 400, 'malformed_http'],
  ['a header without a colon', `GET / HTTP/1.1\r\nhost: x\r\n${MARKER}\r\n\r\n`, 400, 'malformed_http'],
  [
    'two lengths',
    headOfPost('/v1/count', { 'content-length': 5, 'transfer-encoding': 'chunked' }),
    400,
    'malformed_http',
  ],
  ['a negative length', headOfPost('/v1/count', { 'content-length': -5 }), 400, 'malformed_http'],
  ['a broken chunk', `${chunked}5\r\nab${MARKER}\r\n`, 400, 'malformed_http'],
  ['a chunk size that is no number', `${chunked}${MARKER}\r\n`, 400, 'malformed_http'],
  ['a long header', `GET / HTTP/1.1\r\nx: ${MARKER.repeat(2000)}`, 431, 'headers_too_large'],
  ['a long address', `GET /${MARKER.repeat(2000)}`, 431, 'headers_too_large'],
];

test.each(noise)('%s is answered with a problem, logged once, and the connection closed', async (...row) => {
  const [, bytes, status, code] = row;
  const linesBefore = api.lines.length;
  const connection = await RawConnection.to(api.url);
  connection.send(bytes);
  const answer = await connection.answer();
  expectProblem(answer, status, code);
  expect(answer.headers.connection).toBe('close');
  connection.socket.end();
  expect(await connection.end()).toBe('end');
  const lines = api.lines.slice(linesBefore);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(code);
  expect(lines[0]).toContain(answer.body.request_id);
  await expectAlive();
});

test('noise behind a request is answered behind its answer', async () => {
  const connection = await RawConnection.to(api.url);
  connection.send(`${headOfPost('/v1/count', { 'content-length': small.length })}${small}${MARKER}\r\n\r\n`);
  expect((await connection.answer()).body.tokens).toBe(2);
  expect(await connection.end()).toBe('end');
  expect(connection.text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});

test('noise that goes on and on is cut off, and told once', async () => {
  const linesBefore = api.lines.length;
  const connection = await RawConnection.to(api.url);
  for (let i = 0; i < 200; i++) connection.send(`${MARKER}\r\n`.repeat(5000));
  expectProblem(await connection.answer(), 400, 'malformed_http');
  await connection.end();
  expect(api.lines.length - linesBefore).toBe(1);
});

test.each([
  ['headers', 'POST /v1/count HTTP/1.1\r\n'],
  ['a body', `${headOfPost('/v1/count', { 'content-length': 1000 })}{"text":"${MARKER}`],
  ['chunks', `${chunked}1\r\n{\r\n`],
])('%s that do not come in whole in their time are a problem', async (_, bytes) => {
  const linesBefore = hasty.lines.length;
  const connection = await RawConnection.to(hasty.url);
  connection.send(bytes);
  expectProblem(await connection.answer(), 408, 'request_timeout');
  connection.socket.end();
  expect(await connection.end()).toBe('end');
  expect(hasty.lines.length - linesBefore).toBe(1);
});

test.each(['gzip', 'br', 'gzip, identity'])(
  'a body that is packed (%s) is refused, and it is said why',
  async (encoding) => {
    const connection = await RawConnection.to(api.url);
    connection.post('/v1/count', small, { 'content-encoding': encoding });
    const answer = await connection.answer();
    expectProblem(answer, 415, 'unsupported_media_type');
    expect(answer.body.detail).toMatch(/Content-Encoding/);
  },
);

test('a body that is packed for the way is refused, and it is said why', async () => {
  const connection = await RawConnection.to(api.url);
  connection.send(headOfPost('/v1/count', { 'transfer-encoding': 'gzip, chunked' }));
  connection.send(`${small.length.toString(16)}\r\n${small}\r\n0\r\n\r\n`);
  const answer = await connection.answer();
  expectProblem(answer, 415, 'unsupported_media_type');
  expect(answer.body.detail).toMatch(/Transfer-Encoding/);
});

test.each([
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['noise', `${MARKER}\r\n\r\n`],
  ['a body', `${headOfPost('/v1/count', { 'content-length': 1000 })}{`],
])('who sends %s and resets the connection does no harm', async (_, bytes) => {
  const connection = await RawConnection.to(api.url);
  connection.send(bytes);
  if (!bytes.startsWith('POST')) await connection.answer();
  connection.socket.resetAndDestroy();
  await connection.end();
  for (let i = 0; i < 3; i++) await expectAlive();
});

test('an expectation that nobody knows is passed over', async () => {
  const connection = await RawConnection.to(api.url);
  connection.post('/v1/count', small, { expect: 'the-unexpected' });
  expect((await connection.answer()).status).toBe(200);
});

test('a body that is said not to be packed is taken', async () => {
  const connection = await RawConnection.to(api.url);
  connection.post('/v1/count', small, { 'content-encoding': 'Identity' });
  expect((await connection.answer()).status).toBe(200);
});
