import { type AddressInfo, connect } from 'node:net';
import { PreflightError } from '@preflight/core';
import { readConfig } from '@preflight/runtime';
import { MemoryBatchStore, MemoryPayloadStore } from '@preflight/storage';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createApi } from './create-api.js';
import { fakeWork } from './testing/fake-work.js';
import { post as bytesOfPost } from './testing/local-app.js';
import { noJobs as jobs } from './testing/no-jobs.js';

const record = vi.fn();
const log = { debug: record, info: record, warn: record, error: record, fatal: record };
const work = fakeWork();
const encode = async () => new Int32Array();
const payloads = new MemoryPayloadStore();
const batches = new MemoryBatchStore({ lifetimeMs: 1_000 });
const { app, stop } = await createApi({
  work,
  encode,
  payloads,
  jobs,
  batches,
  config: readConfig({ PREFLIGHT_BODY_LIMIT_BYTES: '4096' }),
  log,
});
afterAll(stop);

const json = { 'content-type': 'application/json' };
const post = (url: string, payload: string, headers: Record<string, string> = json) =>
  app.inject({ method: 'POST', url, payload, headers });

describe('everything that goes wrong is a problem', () => {
  test.each([
    ['a broken address', () => app.inject('/%zz'), 404, 'not_found'],
    ['an unknown address', () => app.inject('/v2'), 404, 'not_found'],
    ['a wrong method', () => app.inject('/v1/count'), 405, 'method_not_allowed'],
    ['no body', () => app.inject({ method: 'POST', url: '/v1/count' }), 400, 'invalid_request'],
    ['an empty body', () => post('/v1/count', ''), 400, 'invalid_json'],
    [
      'another type',
      () => post('/v1/count', 'a', { 'content-type': 'text/plain' }),
      415,
      'unsupported_media_type',
    ],
    ['a large body', () => post('/v1/count', `"${'x'.repeat(5000)}"`), 413, 'body_too_large'],
  ])('%s', async (_, call, status, code) => {
    const answer = await call();
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    const body = answer.json();
    expect(body).toMatchObject({ status, code, type: `urn:preflight:problem:${code}` });
    expect(body.request_id).toBeTruthy();
  });

  test('a wrong method is told the right one', async () => {
    expect((await app.inject('/v1/count')).headers.allow).toBe('POST');
    expect((await app.inject({ method: 'PUT', url: '/health/live?x=1' })).headers.allow).toBe('GET, HEAD');
  });

  test.each([
    ['/v1/jobs/some-id', 'POST', 'DELETE, GET, HEAD'],
    ['/v1/jobs/some-id/events', 'DELETE', 'GET'],
    ['/v1/blobs/some-digest?x=1', 'DELETE', 'HEAD, PUT'],
    ['/v1/batches/some-id/results', 'PUT', 'GET, HEAD'],
    ['/v1/batches', 'GET', 'POST'],
    ['/v1/jobs', 'POST', undefined],
    ['/v1/jobs/', 'POST', undefined],
    ['/v1/jobs/some-id/other', 'POST', undefined],
  ] as const)('%s by %s: allowed are %s', async (url, method, allowed) => {
    const answer = await app.inject({ method, url });
    expect([answer.statusCode, answer.headers.allow]).toEqual([allowed ? 405 : 404, allowed]);
  });

  test('a connection with a body that was not read is closed', async () => {
    expect((await post('/v1/count', 'x'.repeat(5000))).headers.connection).toBe('close');
  });
});

describe('a bug', () => {
  test('is told the operator and not the caller', async () => {
    record.mockClear();
    work.failWith = new Error('SECRET');
    const answer = await post('/v1/count', '{"text":"PRIVATE"}');
    work.failWith = undefined;
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('SECRET');
    const [fields] = record.mock.lastCall as [{ err: Error; requestId: string }];
    expect(fields.err.message).toBe('SECRET');
    expect(fields.requestId).toBe(answer.json().request_id);
    expect(JSON.stringify(record.mock.calls)).not.toContain('PRIVATE');
  });

  test('in a thread is told with what is known of it', async () => {
    record.mockClear();
    work.failWith = new PreflightError('internal_error', { internalDetail: 'worker thread: heap' });
    const answer = await post('/v1/count', '{"text":"a"}');
    work.failWith = undefined;
    expect(answer.body).not.toContain('heap');
    expect(record.mock.lastCall?.[0]).toMatchObject({ internal: 'worker thread: heap' });
  });
});

test('an answer says how long it is', async () => {
  const answer = await post('/v1/count', '{"text":"a"}');
  expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.body)));
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
});

test('a body that never comes to its end is given up at the deadline', async () => {
  const slow = await createApi({
    work,
    encode,
    jobs,
    payloads,
    batches,
    config: readConfig({ PREFLIGHT_DEADLINE_MS: '100' }),
    log,
  });
  await slow.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = slow.app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write(bytesOfPost('/v1/count', '{"text":"', 1000));
  let received = '';
  for await (const data of socket) received += data;
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
  await slow.stop();
});

test('a service that stops says so, and can be stopped twice', async () => {
  const other = await createApi({ work, encode, jobs, payloads, batches, config: readConfig({}), log });
  expect((await other.app.inject('/health/ready')).statusCode).toBe(200);
  const stopped = other.stop();
  await stopped;
  await other.stop();
});
