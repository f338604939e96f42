import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RedisServer, startRedisServer } from '../../../../test/harness/redis-server.js';
import { connectRedis, isReadyWithin } from '../redis/connect-redis.js';
import { emptyRedis } from '../redis/empty-redis.contract.js';
import { storageKeys } from '../redis/keys.js';
import { RedisWriteOnceStore } from './redis-write-once-store.js';
import { describeWriteOnceStore } from './write-once-store.contract.js';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer({ appendOnly: true });
});
afterAll(() => server.dispose());

describeWriteOnceStore(
  'RedisWriteOnceStore',
  async () => new RedisWriteOnceStore(await emptyRedis(server), storageKeys.result),
);

test('values survive a crash of Redis', async () => {
  const redis = await emptyRedis(server);
  const store = new RedisWriteOnceStore(redis, storageKeys.result);
  await store.putOnce('job', Buffer.from('answer'), 60_000);
  await server.restart();
  expect(await isReadyWithin(redis, 10_000)).toBe(true);
  expect((await store.get('job'))?.toString()).toBe('answer');
  expect(await store.putOnce('job', Buffer.from('another'), 60_000)).toBe(false);
  await store.close();
});

test('nothing is left but the value, which has a lifetime', async () => {
  const redis = await emptyRedis(server);
  const store = new RedisWriteOnceStore(redis, storageKeys.result);
  await store.putOnce('job', Buffer.alloc(3_000_000), 60_000);
  await store.putOnce('job', Buffer.alloc(3_000_000), 60_000);
  const [key, ...others] = await redis.keys('*');
  expect(others).toEqual([]);
  expect(await redis.pttl(key as string)).toBeGreaterThan(0);
  await store.close();
});

test('while Redis is away, every call fails at once', async () => {
  const store = new RedisWriteOnceStore(
    await connectRedis('redis://127.0.0.1:1', { commandTimeoutMs: 1_000 }),
    storageKeys.result,
  );
  await expect(store.get('job')).rejects.toMatchObject({ code: 'storage_unavailable' });
  await expect(store.putOnce('job', Buffer.alloc(1), 1)).rejects.toMatchObject({
    code: 'storage_unavailable',
  });
  await store.close();
});
