import type { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { DistributedWorld } from '../harness/distributed.js';
import { post } from '../harness/http.js';
import { waitFor } from '../harness/wait-for.js';

/** Letters of base64, so that it can stand anywhere. */
const MARKER = 'xylophone7f3aMARKER';
const long = `${MARKER} and much more. `.repeat(2_000);
const payload = {
  encoding: 'o200k_base',
  context_window: 5_000,
  max_output_tokens: 100,
  messages: [
    { role: 'user', content: long },
    { role: 'assistant', content: MARKER, name: MARKER },
    {
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${MARKER}A` } }],
    },
    {
      role: 'user',
      content: [{ type: 'input_audio', input_audio: { data: MARKER.repeat(2_000), format: MARKER } }],
    },
  ],
  tools: [{ type: 'function', function: { name: MARKER, description: long } }],
};

test('content lies in the payload store alone, and is gone with the answer', async () => {
  const world = await DistributedWorld.start(onTestFinished);
  const api = await world.startApi({ PREFLIGHT_LOG_LEVEL: 'debug' });
  const answering = post(api.url, '/v1/preflight', payload);
  await waitFor(async () => (await world.keys('jobs:wait')).length === 1, { what: 'a job that waits' });

  const waiting = await world.look(keysWithMarker);
  expect(waiting.length).toBeGreaterThan(1);
  expect(waiting.filter((key) => !key.startsWith('{preflight}:payload:'))).toEqual([]);

  const coordinator = await world.startCoordinator({ PREFLIGHT_LOG_LEVEL: 'debug' });
  const { status, text } = await answering;
  expect(status, text).toBe(422);
  const kept = async () => [
    ...(await world.keys('payload:')),
    ...(await world.keys('leases:')),
    ...(await world.keys('holders:')),
  ];
  await waitFor(async () => (await kept()).length === 0, { what: 'an empty payload store' });
  expect(await world.keys('result:')).toHaveLength(1);
  expect(await world.look(keysWithMarker)).toEqual([]);
  await waitFor(() => coordinator.output().includes('job done'));
  for (const { output } of [api, coordinator]) expect(output()).not.toContain(MARKER);
});

test('a text that two jobs need is stored once, and stays until the second is done', async () => {
  const world = await DistributedWorld.start(onTestFinished);
  const api = await world.startApi();
  const count = (content: string) =>
    post(api.url, '/v1/count', {
      model: 'gpt-4o',
      messages: [
        { role: 'user', content: long },
        { role: 'user', content },
      ],
    });
  const leaving = new AbortController();
  const first = post(api.url, '/v1/count', { text: long, model: 'gpt-4o' }, { signal: leaving.signal });
  first.catch(() => undefined);
  await waitFor(async () => (await world.keys('leases:')).length === 1);
  const second = count('b');
  // The long text, and a skeleton each.
  await waitFor(async () => (await world.keys('payload:')).length === 3);
  leaving.abort();
  await waitFor(async () => (await world.keys('payload:')).length === 2);
  await world.startCoordinator();
  expect((await second).status).toBe(200);
  await waitFor(async () => (await world.keys('payload:')).length === 0);
});

async function keysWithMarker(redis: Redis): Promise<string[]> {
  const keys = await redis.keys('*');
  const dumps = await Promise.all(keys.map(async (key) => [key, await contentOf(redis, key)] as const));
  return dumps
    .filter(([key, content]) => key.includes(MARKER) || content.includes(MARKER))
    .map(([key]) => key);
}

/** Everything that a key holds, as text. */
async function contentOf(redis: Redis, key: string): Promise<string> {
  const commands: Record<string, [string, ...string[]]> = {
    string: ['GET', key],
    hash: ['HGETALL', key],
    list: ['LRANGE', key, '0', '-1'],
    set: ['SMEMBERS', key],
    zset: ['ZRANGE', key, '0', '-1'],
    stream: ['XRANGE', key, '-', '+'],
  };
  const [command, ...values] = commands[await redis.type(key)] ?? ['TYPE', key];
  return JSON.stringify(await redis.call(command, ...values));
}
