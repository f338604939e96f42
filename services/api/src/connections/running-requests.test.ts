import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/harness/wait-for.js';
import { LocalApp, post } from '../testing/local-app.js';
import { watchRequests } from './request-over.js';
import { RunningRequests } from './running-requests.js';

let local: LocalApp;
let running: RunningRequests;
let answers: (() => void)[];

beforeEach(async () => {
  answers = [];
  local = new LocalApp();
  watchRequests(local.app);
  running = new RunningRequests(local.app);
  local.app.post('/wait', () => new Promise((resolve) => answers.push(() => resolve('answered'))));
  local.app.get('/health/live', async () => 'live');
  await local.listen();
});
afterEach(() => local.app.close());

const begun = (count: number) => eventually(() => expect(answers).toHaveLength(count));
/** Whether a promise is settled, without waiting for it. */
const isSettled = async (promise: Promise<unknown>) => {
  const later = new Promise((resolve) => setImmediate(() => resolve('later')));
  return (await Promise.race([promise.then(() => 'settled'), later])) === 'settled';
};

describe('draining', () => {
  test('is over at once when nothing runs, every time', async () => {
    await running.drain();
    await running.drain();
    expect(running.isDraining).toBe(true);
  });

  test('waits for the last running request, for everyone who asks', async () => {
    const requests = [1, 2].map(() => fetch(`${local.url}/wait`, { method: 'POST' }));
    await begun(2);
    const drains = [running.drain(), running.drain()];
    answers[0]?.();
    await requests[0];
    expect(await isSettled(Promise.race(drains))).toBe(false);
    answers[1]?.();
    expect((await requests[1])?.status).toBe(200);
    await Promise.all(drains);
  });

  test('refuses new requests, but says that the process lives', async () => {
    const request = fetch(`${local.url}/wait`, { method: 'POST' });
    await begun(1);
    const drain = running.drain();
    const refused = await fetch(`${local.url}/wait`, { method: 'POST' });
    expect(await refused.json()).toMatchObject({ message: 'shutting_down' });
    expect(refused.headers.get('connection')).toBe('close');
    expect((await fetch(`${local.url}/health/live`)).status).toBe(200);
    answers[0]?.();
    await Promise.all([request, drain]);
  });

  test('does not wait for callers who left, whenever they did', async () => {
    const socket = await local.connect();
    socket.write(post('/wait', '{}').repeat(3));
    await begun(3);
    const drain = running.drain();
    socket.destroy();
    await drain;
  });
});
