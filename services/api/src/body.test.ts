import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Admission } from './admission.js';
import { takeJsonBodies } from './body.js';
import { watchRequests } from './request-over.js';
import { LocalApp, post } from './testing/local-app.js';

const local = new LocalApp();
let admission: Admission;
let answers: (() => void)[] = [];

beforeAll(async () => {
  watchRequests(local.app);
  admission = takeJsonBodies(local.app, { bodyLimitBytes: 1000, queueLimitBytes: 2500 });
  local.app.post('/wait', (request) => {
    return new Promise((resolve) => answers.push(() => resolve(request.body)));
  });
  local.app.post('/fail', () => Promise.reject(new Error('x')));
  await local.listen();
});
afterAll(() => local.app.close());
beforeEach(() => {
  answers = [];
});

const held = (bytes: number) => vi.waitFor(() => expect(admission.heldBytes).toBe(bytes));
const send = (path: string, body: string) =>
  fetch(`${local.url}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

describe('bytes are held', () => {
  test('from the announcement to the end of the answer', async () => {
    const socket = await local.connect();
    socket.write(post('/wait', '{"a":', 700));
    await held(700);
    socket.write(`1${' '.repeat(693)}}`);
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    expect(admission.heldBytes).toBe(700);
    answers[0]?.();
    await held(0);
    socket.destroy();
  });

  test('as many as any body may have, until the length of a chunked one is known', async () => {
    const socket = await local.connect();
    socket.write(post('/wait', '{"a":1', 'chunked'));
    await held(1000);
    socket.write('1\r\n}\r\n0\r\n\r\n');
    await held(7);
    answers[0]?.();
    await held(0);
    socket.destroy();
  });

  test('by as many requests as fit, and not by the one that is refused', async () => {
    const sockets = await Promise.all([local.connect(), local.connect()]);
    for (const socket of sockets) socket.write(post('/wait', '{', 1000));
    await held(2000);
    const refused = await send('/wait', `{"a":"${'x'.repeat(600)}"}`);
    expect(refused.status).toBe(500);
    expect(await refused.json()).toMatchObject({ message: 'overloaded' });
    expect(admission.heldBytes).toBe(2000);
    for (const socket of sockets) socket.destroy();
    await held(0);
  });
});

describe('bytes are given back', () => {
  test.each([
    ['is no JSON', '/wait', '{"a"'],
    ['is too large', '/wait', `"${'x'.repeat(2000)}"`],
    ['is for a failing route', '/fail', '{}'],
    ['is for no route', '/nowhere', '{}'],
  ])('when the body %s', async (_, path, body) => {
    const answer = await send(path, body);
    expect(answer.ok).toBe(false);
    await answer.text();
    await held(0);
  });

  test('when the caller leaves while sending, while waiting and before his turn', async () => {
    const sockets = await Promise.all([local.connect(), local.connect(), local.connect()]);
    sockets[0]?.write(post('/wait', '{', 500));
    sockets[1]?.write(post('/wait', '{}'));
    sockets[2]?.write(post('/wait', '{}').repeat(3));
    await vi.waitFor(() => expect(answers).toHaveLength(4));
    await held(508);
    for (const socket of sockets) socket.destroy();
    await held(0);
  });
});

test('long texts come as ranges of shared memory', async () => {
  const { app } = new LocalApp();
  watchRequests(app);
  takeJsonBodies(app, { bodyLimitBytes: 100_000, queueLimitBytes: 100_000 });
  app.post('/', async (request) => {
    const { text } = request.body as { text: { byteLength: number; buffer: unknown } };
    return { bytes: text.byteLength, isShared: text.buffer instanceof SharedArrayBuffer };
  });
  const answer = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ text: 'x'.repeat(5000) }),
  });
  expect(answer.json()).toEqual({ bytes: 5000, isShared: true });
  await app.close();
});

test('memory of a body is used again only when its answer has left', async () => {
  const large = new LocalApp();
  watchRequests(large.app);
  takeJsonBodies(large.app, { bodyLimitBytes: 9_000_000, queueLimitBytes: 90_000_000 });
  let answered = 0;
  large.app.addHook('onResponse', async () => {
    answered += 1;
  });
  const seen: unknown[] = [];
  const waiting: (() => void)[] = [];
  large.app.post('/wait', (request) => {
    seen.push(request.bodyBytes?.buffer);
    return new Promise((resolve) => waiting.push(() => resolve('done')));
  });
  await large.listen();
  const body = JSON.stringify('x'.repeat(1_000_000));
  const headers = { 'content-type': 'application/json' };
  const ask = () =>
    fetch(`${large.url}/wait`, { method: 'POST', body, headers }).then((answer) => answer.text());
  const [first, second] = [ask(), ask()];
  await vi.waitFor(() => expect(waiting).toHaveLength(2));
  expect(seen[0]).not.toBe(seen[1]);
  waiting[0]?.();
  await vi.waitFor(() => expect(answered).toBe(1));
  const third = ask();
  await vi.waitFor(() => expect(waiting).toHaveLength(3));
  expect(seen[2]).toBe(seen[0]);
  for (const answer of waiting) answer();
  await Promise.all([first, second, third]);
  await large.app.close();
});
