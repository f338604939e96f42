import { afterAll, expect, test } from 'vitest';
import { send } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';
import { expectProblem, MARKER } from '../harness/problems.js';

const api = await startApi();
const JSON_TYPE = { 'content-type': 'application/json' };
const paths = ['/v1/preflight', '/v1/count'];

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

const bodies: [
  name: string,
  body: string | Uint8Array,
  code: 'invalid_json' | 'invalid_utf8' | 'body_too_deep',
][] = [
  ['is empty', '', 'invalid_json'],
  ['is white space', ' \n ', 'invalid_json'],
  ['is a word', MARKER, 'invalid_json'],
  ['ends too early', `{"messages":[{"role":"user","content":"${MARKER}`, 'invalid_json'],
  ['ends too early behind a long text', `{"text":"${MARKER.repeat(1000)}"`, 'invalid_json'],
  ['goes on behind its end', `{"text":"a"}${MARKER}`, 'invalid_json'],
  ['has a trailing comma', `{"text":"${MARKER}",}`, 'invalid_json'],
  ['has single quotes', `{'text':'${MARKER}'}`, 'invalid_json'],
  ['has a bare control character', `{"text":"${MARKER}\n"}`, 'invalid_json'],
  ['has a bare control character in a long text', `{"text":"${MARKER.repeat(1000)}\n"}`, 'invalid_json'],
  ['has a wrong escape', `{"text":"${MARKER}\\x41"}`, 'invalid_json'],
  ['has half an escape', `{"text":"${MARKER}\\u12"}`, 'invalid_json'],
  ['starts with a byte-order mark', `\ufeff{"text":"${MARKER}"}`, 'invalid_json'],
  ['has NaN', `{"text":"${MARKER}","context_window":NaN}`, 'invalid_json'],
  [
    'has a byte that is no UTF-8',
    Buffer.from([...Buffer.from(`{"text":"${MARKER}`), 0xff, 0x22, 0x7d]),
    'invalid_utf8',
  ],
  ['has a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'invalid_utf8'],
  ['has an overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'invalid_utf8'],
  ['is UTF-16', Buffer.from(`{"text":"${MARKER}"}`, 'utf16le'), 'invalid_json'],
  ['has arrays in arrays', nested(100_000, '[', ']'), 'body_too_deep'],
  ['has objects in objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, 'body_too_deep'],
  ['opens and never closes', '['.repeat(1_000_000), 'body_too_deep'],
  [
    'is deep inside a message',
    `{"messages":[{"role":"user","content":${nested(200, '[', ']')}}]}`,
    'body_too_deep',
  ],
];

test.each(bodies)('a body that %s is refused by name', async (_, body, code) => {
  for (const path of paths) expectProblem(await send(api.url, { path, headers: JSON_TYPE, body }), 400, code);
});

test('a syntax error says where', async () => {
  const { body } = await send(api.url, { path: '/v1/count', headers: JSON_TYPE, body: '{"text":"ab" "c"}' });
  expect(body.figures).toEqual({ position: 13 });
});

test.each([
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  '',
])('the content type "%s" is not taken', async (type) => {
  for (const path of paths)
    expectProblem(
      await send(api.url, {
        path,
        headers: type ? { 'content-type': type } : {},
        body: `{"text":"${MARKER}"}`,
      }),
      415,
      'unsupported_media_type',
    );
});

test('a batch in a content type that it is not taken in is told which it is', async () => {
  const headers = { 'content-type': 'application/json' };
  const answer = await send(api.url, { path: '/v1/batches', headers, body: `{"text":"${MARKER}"}` });
  expectProblem(answer, 415, 'unsupported_media_type');
  expect(answer.body.detail).toContain('a batch application/x-ndjson');
});

test('no body and no content type is an invalid request', async () => {
  for (const path of paths) expectProblem(await send(api.url, { path }), 400, 'invalid_request');
});

test.each(['latin1', 'UTF-16', '"iso-8859-1"', ''])('the charset %s is not taken', async (charset) => {
  for (const path of [...paths, '/v1/batches']) {
    const type = path === '/v1/batches' ? 'application/x-ndjson' : 'application/json';
    const headers = { 'content-type': `${type}; charset=${charset}` };
    const answer = await send(api.url, { path, headers, body: '{"text":"é"}' });
    expectProblem(answer, 415, 'unsupported_media_type');
    expect(answer.body.detail).toContain('UTF-8');
  }
});

test('a charset beside application/json is fine', async () => {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const { status } = await send(api.url, { path: '/v1/count', headers, body: '{"text":"a"}' });
  expect(status).toBe(200);
});

afterAll(() => expect(api.lines.join('\n')).not.toContain(MARKER));
