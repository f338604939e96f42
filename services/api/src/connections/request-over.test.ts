import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/harness/wait-for.js';
import { LocalApp, post } from '../testing/local-app.js';
import { ANSWERED, type Over } from './over.js';
import { watchRequests } from './request-over.js';

const local = new LocalApp();
/** The `over` of each request since the test began. */
let overs: Over[] = [];
/** Answers to requests for /wait. */
let answers: (() => void)[] = [];

beforeAll(async () => {
  watchRequests(local.app);
  local.app.addHook('onRequest', (request, _reply, done) => {
    overs.push(request.over);
    done();
  });
  local.app.post('/wait', () => new Promise((resolve) => answers.push(() => resolve('answered'))));
  local.app.post('/fail', () => Promise.reject(new Error('x')));
  await local.listen();
});
afterAll(() => local.app.close());
beforeEach(() => {
  overs = [];
  answers = [];
});

const allOver = () => eventually(() => expect(overs.map((over) => over.reason)).not.toContain(undefined));

describe('a request is over', () => {
  test('when it has been answered, and not before', async () => {
    const socket = await local.connect();
    socket.write(post('/wait', '{}'));
    await eventually(() => expect(answers).toHaveLength(1));
    expect(overs[0]?.reason).toBeUndefined();
    answers[0]?.();
    await allOver();
    expect(overs[0]?.reason).toBe(ANSWERED);
    socket.destroy();
  });

  test('when it failed, or was for no route', async () => {
    await fetch(`${local.url}/fail`, { method: 'POST', body: '{}' });
    await fetch(`${local.url}/nowhere`);
    expect(overs).toHaveLength(2);
    await allOver();
  });

  test('when its caller leaves while it is worked on', async () => {
    const socket = await local.connect();
    socket.write(post('/wait', '{}'));
    await eventually(() => expect(answers).toHaveLength(1));
    socket.destroy();
    await allOver();
    expect(overs[0]?.reason).toMatchObject({ code: 'request_cancelled' });
    expect(overs[0]?.reason).not.toBe(ANSWERED);
  });

  test('when its caller leaves in the middle of the body', async () => {
    const socket = await local.connect();
    socket.write(post('/wait', '{"a":', 1000));
    await eventually(() => expect(overs).toHaveLength(1));
    socket.destroy();
    await allOver();
  });

  test('when its caller leaves before its turn on a pipelined connection', async () => {
    const socket = await local.connect();
    socket.write(post('/wait', '{}').repeat(3));
    await eventually(() => expect(answers).toHaveLength(3));
    socket.destroy();
    await allOver();
    expect(overs).toHaveLength(3);
  });
});

test('a connection that serves many requests collects no listeners', async () => {
  const socket = await local.connect();
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  let listeners = 0;
  local.app.server.once('request', (request) => {
    listeners = request.socket.listenerCount('close');
  });
  for (let i = 1; i <= 20; i++) {
    socket.write(post('/nowhere', '{}'));
    await eventually(() => expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(i));
  }
  let listenersLater = 0;
  local.app.server.once('request', (request) => {
    listenersLater = request.socket.listenerCount('close');
  });
  socket.write(post('/nowhere', '{}'));
  await eventually(() => expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(21));
  expect(listenersLater).toBe(listeners);
  socket.destroy();
});
