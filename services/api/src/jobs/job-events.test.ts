import { getEventListeners, once } from 'node:events';
import type { JobStateResponse } from '@preflight/contracts';
import { PreflightError } from '@preflight/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/harness/wait-for.js';
import { watchRequests } from '../connections/request-over.js';
import { LocalApp } from '../testing/local-app.js';
import { sendJobEvents } from './job-events.js';

let local: LocalApp;
let draining: AbortController;
let state: JobStateResponse | PreflightError;
let listeners: Set<() => void>;
let heartbeatMs: number;
beforeEach(async () => {
  local = new LocalApp();
  draining = new AbortController();
  listeners = new Set();
  state = { id: 'j', status: 'waiting', attempt: 1 };
  heartbeatMs = 60_000;
  watchRequests(local.app);
  local.app.get('/events', ({ over, connection }, reply) => {
    const parts = { id: 'j', calls, over: over.signal, connection, draining: draining.signal, heartbeatMs };
    return sendJobEvents(reply, parts);
  });
  await local.listen();
});
afterEach(() => local.app.close());

const calls = {
  async state() {
    if (state instanceof PreflightError) throw state;
    return state;
  },
  watch(_: string, onChange: () => void) {
    listeners.add(onChange);
    return () => void listeners.delete(onChange);
  },
};

function become(next: JobStateResponse | PreflightError) {
  state = next;
  for (const tell of listeners) tell();
}

async function open() {
  const response = await fetch(`${local.url}/events`);
  let text = '';
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) text += decoder.decode(chunk);
    return text;
  })();
  const has = (part: string) => eventually(() => expect(text).toContain(part));
  return { response, reading, has };
}

const dataOf = (text: string) =>
  [...text.matchAll(/^event: state\ndata: (.*)\n\n/gm)].map(([, data]) => data);

test('tells each state once, and ends with the final one', async () => {
  const { response, reading, has } = await open();
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  await has('"waiting"');
  become({ id: 'j', status: 'active', attempt: 1, progress: { stage: 'counting' } });
  await has('"counting"');
  become({ id: 'j', status: 'completed' });
  expect(dataOf(await reading)).toEqual([
    '{"id":"j","status":"waiting","attempt":1}',
    '{"id":"j","status":"active","attempt":1,"progress":{"stage":"counting"}}',
    '{"id":"j","status":"completed"}',
  ]);
  expect(listeners.size).toBe(0);
  expect(getEventListeners(draining.signal, 'abort')).toHaveLength(0);
});

test('of a job that has ended there is one', async () => {
  state = { id: 'j', status: 'failed' };
  expect(dataOf(await (await open()).reading)).toEqual(['{"id":"j","status":"failed"}']);
});

test('sends heartbeats, and sees by them what it was not told', async () => {
  heartbeatMs = 5;
  const { reading, has } = await open();
  await has(':\n\n');
  state = { id: 'j', status: 'cancelled' };
  expect(await reading).toMatch(/"cancelled"\}\n\n$/);
});

test('a caller who leaves leaves nothing behind', async () => {
  const socket = await local.connect();
  socket.write('GET /events HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(socket, 'data');
  expect(listeners.size).toBe(1);
  socket.destroy();
  await eventually(() => expect(listeners.size).toBe(0));
});

test.each([
  ['the service stops', () => draining.abort()],
  ['the job is forgotten', () => become(new PreflightError('not_found'))],
])('ends when %s', async (_, end) => {
  const { reading, has } = await open();
  await has('"waiting"');
  end();
  expect(dataOf(await reading)).toHaveLength(1);
  expect(listeners.size).toBe(0);
});

test('of no job is refused', async () => {
  state = new PreflightError('not_found');
  const { response, reading } = await open();
  await reading;
  expect(response.status).toBe(500);
});
