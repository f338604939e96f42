import type { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type RedisServer, startRedisServer } from '../../../../test/harness/redis-server.js';
import { connectRedis, disconnectRedis, isReadyWithin } from './connect-redis.js';
import { emptyRedis } from './empty-redis.contract.js';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer({ appendOnly: true });
});
afterAll(() => server.dispose());

/** How often the kernel was given something. */
function watchWrites(stream: Writable): () => number {
  const one = vi.spyOn(stream, '_write');
  const many = vi.spyOn(stream, '_writev');
  return () => one.mock.calls.length + many.mock.calls.length;
}

test('commands of one turn go out together, in order, and each gets its answer', async () => {
  const redis = await emptyRedis(server);
  const writes = watchWrites(redis.stream);
  const answers = Array.from({ length: 50 }, () => redis.incr('n'));
  expect(await Promise.all(answers)).toEqual(answers.map((_, i) => i + 1));
  expect(writes()).toBe(1);
  expect(await redis.incr('n')).toBe(51);
  expect(writes()).toBe(2);
  await disconnectRedis(redis);
});

test('also when the connection is another one', async () => {
  const redis = await emptyRedis(server);
  await server.restart();
  expect(await isReadyWithin(redis, 10_000)).toBe(true);
  const writes = watchWrites(redis.stream);
  await Promise.all([redis.incr('a'), redis.incr('b')]);
  expect(writes()).toBe(1);
  await disconnectRedis(redis);
});

test('what was sent last is not lost when the connection is closed', async () => {
  const redis = await connectRedis(server.url, { commandTimeoutMs: 2_000 });
  expect(await isReadyWithin(redis, 2_000)).toBe(true);
  redis.set('last', 'words').catch(() => undefined);
  redis.disconnect();
  const other = await connectRedis(server.url, { commandTimeoutMs: 2_000 });
  expect(await isReadyWithin(other, 2_000)).toBe(true);
  await vi.waitFor(async () => expect(await other.get('last')).toBe('words'));
  await disconnectRedis(other);
});
