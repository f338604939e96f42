import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RedisServer, startRedisServer } from '../../../../test/harness/redis-server.js';
import { emptyRedis } from '../redis/empty-redis.contract.js';
import { describeBatchStore } from './batch-store.contract.js';
import { RedisBatchStore } from './redis-batch-store.js';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer({});
});
afterAll(() => server.dispose());

const open = async (lifetimeMs: number) => new RedisBatchStore(await emptyRedis(server), { lifetimeMs });

describeBatchStore('RedisBatchStore', open);

test('every key has a lifetime and the hash tag', async () => {
  const redis = await emptyRedis(server);
  const store = new RedisBatchStore(redis, { lifetimeMs: 60_000 });
  await store.open('one', 'writer', 1_000);
  await store.append('one', Buffer.from('record'));
  const keys = await redis.keys('*');
  expect(keys.sort()).toEqual(['{preflight}:batch-results:one', '{preflight}:batch:one']);
  for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
  await store.close();
});
