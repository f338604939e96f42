import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/harness/wait-for.js';
import { watchRequests } from '../connections/request-over.js';
import { LocalApp, post } from '../testing/local-app.js';
import type { Admission } from './admission.js';
import { takeJsonBodies } from './json-bodies.js';

const KIB = 1024;
const MIB = 1024 * KIB;

const local = new LocalApp();
let admission: Admission;
let answers: (() => void)[] = [];

beforeAll(async () => {
  watchRequests(local.app);
  admission = takeJsonBodies(local.app, { bodyLimitBytes: 4 * MIB, queueLimitBytes: 10 * MIB });
  local.app.post('/wait', (request) => {
    return new Promise((resolve) => answers.push(() => resolve(typeof request.body)));
  });
  local.app.post('/fail', () => Promise.reject(new Error('x')));
  await local.listen();
});
afterAll(() => local.app.close());
beforeEach(() => {
  answers = [];
});

const held = (bytes: number) => eventually(() => expect(admission.heldBytes).toBe(bytes));
const send = (path: string, body: string) =>
  fetch(`${local.url}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
const textOf = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
/** What a body of one long text holds once it is parsed: itself, and its two quotes twice. */
const parsed = (bytes: number) => bytes + 4;

describe('memory is held', () => {
  test('no more than a mebibyte of it for what is only announced, then as it comes, to the end of the answer', async () => {
    const body = textOf(4 * MIB);
    const socket = await local.connect();
    socket.write(post('/wait', '', body.length));
    await held(MIB);
    socket.write(body.slice(0, 2 * MIB));
    await eventually(() => expect(admission.heldBytes).toBeGreaterThanOrEqual(2 * MIB));
    expect(admission.heldBytes).toBeLessThanOrEqual(3 * MIB);
    socket.write(body.slice(2 * MIB));
    await eventually(() => expect(answers).toHaveLength(1));
    expect(admission.heldBytes).toBe(parsed(4 * MIB));
    answers[0]?.();
    await held(0);
    socket.destroy();
  });

  test('as it comes, if nothing is announced', async () => {
    const body = textOf(MIB);
    const socket = await local.connect();
    socket.write(post('/wait', '', 'chunked').replace('0\r\n\r\n', ''));
    await held(64 * KIB);
    socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    await held(parsed(MIB));
    answers[0]?.();
    await held(0);
    socket.destroy();
  });

  test('by many who announce much and send nothing, and others are served beside them', async () => {
    const sockets = await Promise.all(Array.from({ length: 9 }, () => local.connect()));
    for (const socket of sockets) socket.write(post('/wait', '', 4 * MIB));
    await held(9 * MIB);
    const served = send('/wait', textOf(900_000));
    await eventually(() => expect(answers).toHaveLength(1));
    answers[0]?.();
    expect((await served).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await held(0);
  });

  test('not by one who is refused because his body has grown beyond what is free', async () => {
    const sockets = await Promise.all([local.connect(), local.connect()]);
    for (const socket of sockets) socket.write(post('/wait', textOf(4 * MIB)));
    await held(2 * parsed(4 * MIB));
    const refused = await send('/wait', textOf(3 * MIB));
    expect(refused.status).toBe(500);
    expect(await refused.json()).toMatchObject({ message: 'overloaded' });
    await held(2 * parsed(4 * MIB));
    for (const socket of sockets) socket.destroy();
    await held(0);
  });

  test('for the values of a body too, which take more than its bytes', async () => {
    const values = `[${'0,'.repeat(19_999)}0]`;
    const socket = await local.connect();
    socket.write(post('/wait', values));
    await held(3 * values.length + 400 * 20_000);
    const refused = await send('/wait', values);
    expect(await refused.json()).toMatchObject({ message: 'overloaded' });
    socket.destroy();
    await held(0);
    const alone = send('/wait', `[${'0,'.repeat(100_000)}0]`);
    await eventually(() => expect(answers).toHaveLength(2));
    expect(admission.heldBytes).toBe(10 * MIB);
    answers[1]?.();
    expect((await alone).status).toBe(200);
    await held(0);
  });
});

describe('bytes are given back', () => {
  test.each([
    ['is no JSON', '/wait', '{"a"'],
    ['is too large', '/wait', textOf(4 * MIB + 1)],
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
    await eventually(() => expect(answers).toHaveLength(4));
    await held(500 + 4 * (400 + 3 * 2));
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
  await eventually(() => expect(waiting).toHaveLength(2));
  expect(seen[0]).not.toBe(seen[1]);
  waiting[0]?.();
  await eventually(() => expect(answered).toBe(1));
  const third = ask();
  await eventually(() => expect(waiting).toHaveLength(3));
  expect(seen[2]).toBe(seen[0]);
  for (const answer of waiting) answer();
  await Promise.all([first, second, third]);
  await large.app.close();
});
