import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { get, send } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';
import { expectProblem, MARKER } from '../harness/problems.js';

const { url } = await startApi();

test.each([
  '/v1',
  '/v1/',
  '/v2/count',
  '/v1/count/x',
  '/favicon.ico',
  '/v1/preflight%00',
  '/__proto__',
  '/v1/Count',
  '/v1beta/models/gemini',
  '/v1beta/models/a/b:countTokens',
  '/v1beta/models/:countTokens',
])('%s is not found', async (path) => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
    expectProblem(await send(url, { path, method }), 404, 'not_found');
});

test('a problem names the path alone', async () => {
  for (const path of ['/v1/count', '/v1/none'])
    expect((await send(url, { path: `${path}?key=${MARKER}`, method: 'POST' })).body.instance).toBe(path);
  expectProblem(await get(url, `/v1/none?${MARKER}`), 404, 'not_found');
});

test('an address that cannot be decoded is not found', async () => {
  expectProblem(await get(url, '/%zz'), 404, 'not_found');
});

test.each([
  ['GET', '/v1/preflight', 'POST'],
  ['PUT', '/v1/count', 'POST'],
  ['DELETE', '/v1/count?x=1', 'POST'],
  ['PATCH', '/v1/models', 'GET'],
  ['POST', '/health/live', 'GET'],
  ['OPTIONS', '/v1/preflight', 'POST'],
])('%s %s is answered with what is allowed', async (method, path, allowed) => {
  const answer = await send(url, { path, method });
  expectProblem(answer, 405, 'method_not_allowed');
  expect(answer.headers.allow?.split(', ')).toContain(allowed);
});

test.each([
  ['of no kind', {}],
  ['of broken JSON', { 'content-type': 'application/json' }],
  ['of a kind that is none', { 'content-type': 'nonsense/;;' }],
  ['that is packed', { 'content-encoding': 'gzip' }],
])('a wrong address is told before a body %s is looked at', async (_kind, headers) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY']) {
    const sent = { method, headers: { ...headers, 'content-length': '1' }, body: '{' };
    expectProblem(await send(url, { ...sent, path: '/v1/none' }), 404, 'not_found');
    const answer = await send(url, { ...sent, path: '/health/live' });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.allow).toContain('GET');
  }
});

test('what is no HTTP is answered, and the next request as well', async () => {
  const raw = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.end('GET / HTTP/1.1\r\nbad header\r\n\r\n'),
    );
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(text));
  });
  expect(raw).toMatch(/^HTTP\/1.1 400 /);
  expect((await get(url, '/health/live')).status).toBe(200);
});
