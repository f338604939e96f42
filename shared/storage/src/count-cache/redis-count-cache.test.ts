import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RedisServer, startRedisServer } from '../../../../test/harness/redis-server.js';
import { TcpProxy } from '../../../../test/harness/tcp-proxy.js';
import { waitFor } from '../../../../test/harness/wait-for.js';
import { connectRedis, isReadyWithin } from '../redis/connect-redis.js';
import { emptyRedis } from '../redis/empty-redis.contract.js';
import { describeCountCache, digestKey, keys, someEntries } from './count-cache.contract.js';
import { bytesOfKey } from './count-key.js';
import { LayeredCountCache } from './layered-count-cache.js';
import { MemoryCountCache } from './memory-count-cache.js';
import { RedisCountCache } from './redis-count-cache.js';
import { encodeCount } from './stored-count.js';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer({ maxMemoryBytes: 6 * 2 ** 20, policy: 'allkeys-lfu' });
});
afterAll(() => server.dispose());

describeCountCache('RedisCountCache', async () => new RedisCountCache(await emptyRedis(server)));
describeCountCache(
  'RedisCountCache with a lifetime',
  async () => new RedisCountCache(await emptyRedis(server), { lifetimeMs: 60_000 }),
);

/** Two levels, as they are used. */
const layered = (redis: Redis) =>
  new LayeredCountCache({ first: new MemoryCountCache(), second: new RedisCountCache(redis) });

const redisKey = (text: string) => Buffer.concat([Buffer.from('{p}'), bytesOfKey(digestKey(text))]);

describe('counts on Redis', () => {
  test('are shared by hosts', async () => {
    const [one, two] = [new RedisCountCache(await emptyRedis(server)), layered(await emptyRedis(server))];
    await one.setMany(someEntries(10));
    expect(await two.getMany([digestKey('text 3'), keys.ofText('small')])).toEqual([3, undefined]);
    await one.close();
    await two.close();
  });

  test('live as long as they are told to', async () => {
    const redis = await emptyRedis(server);
    const cache = new RedisCountCache(redis, { lifetimeMs: 30 });
    await cache.setMany(someEntries(10));
    await waitFor(async () => (await redis.dbsize()) === 0);
    expect(await cache.getMany([digestKey('text 3')])).toEqual([undefined]);
    await cache.close();
  });

  test('a value that is broken, or of another version or key, reads as a miss', async () => {
    const redis = await emptyRedis(server);
    const cache = new RedisCountCache(redis);
    const whole = encodeCount(bytesOfKey(digestKey('whole')), 7);
    await redis.set(redisKey('whole'), whole);
    await redis.set(redisKey('other key'), whole);
    await redis.set(redisKey('cut'), whole.subarray(0, 11));
    await redis.set(redisKey('number'), '123');
    await redis.set(redisKey('empty'), '');
    await redis.hset(redisKey('hash'), 'field', 'value');
    const texts = ['whole', 'other key', 'cut', 'number', 'empty', 'hash'];
    const found = await cache.getMany(texts.map((text) => digestKey(text)));
    expect(found).toEqual([7, undefined, undefined, undefined, undefined, undefined]);
    await cache.close();
  });

  test('a cache that is flushed, or evicts, forgets, and works on', async () => {
    const redis = await emptyRedis(server);
    const cache = new RedisCountCache(redis);
    for (let round = 0; round < 20; round += 1) await cache.setMany(someEntries(4_000, `round ${round}`));
    expect(await redis.dbsize()).toBeLessThan(60_000);
    expect(await cache.getMany([digestKey('round 19 3999')])).toEqual([3_999]);
    await redis.flushall();
    expect(await cache.getMany([digestKey('round 19 3999')])).toEqual([undefined]);
    await cache.close();
  });

  test('a full cache that does not evict makes failed writes, and reads go on', async () => {
    const full = await startRedisServer({ maxMemoryBytes: 3 * 2 ** 20 });
    const cache = new RedisCountCache(await emptyRedis(full));
    const fill = async () => {
      for (let round = 0; round < 30; round += 1) await cache.setMany(someEntries(4_000, `round ${round}`));
    };
    await expect(fill()).rejects.toThrow('OOM');
    expect(await cache.getMany([digestKey('round 0 5')])).toEqual([5]);
    await cache.close();
    await full.dispose();
  });
});

describe('a cache that is away', () => {
  test('was never there: misses, and after three failures no attempts', async () => {
    const cache = layered(await connectRedis('redis://127.0.0.1:1', { commandTimeoutMs: 100 }));
    for (let i = 0; i < 20; i += 1) expect(await cache.getMany([digestKey('a')])).toEqual([undefined]);
    expect(cache.secondLevelErrorCount).toBe(3);
    await cache.close();
  });

  test('does not answer: each of the first calls takes the command timeout, the others nothing', async () => {
    const proxy = await TcpProxy.to(server.port);
    const redis = await connectRedis(proxy.url, { commandTimeoutMs: 80 });
    await isReadyWithin(redis, 5_000);
    const cache = layered(redis);
    await cache.setMany([[digestKey('a'), 1]]);
    proxy.behaviour = 'stall';
    const startMs = performance.now();
    for (let i = 0; i < 100; i += 1) await cache.getMany([digestKey(`unknown ${i}`)]);
    // All of them would take 8 s.
    expect(performance.now() - startMs).toBeLessThan(6_000);
    expect(cache.secondLevelErrorCount).toBeGreaterThanOrEqual(3);
    proxy.behaviour = 'pass';
    const second = new RedisCountCache(await emptyRedis(server));
    await second.setMany([[digestKey('b'), 2]]);
    await waitFor(async () => (await cache.getMany([digestKey('b')]))[0] === 2);
    await cache.close();
    await second.close();
    await proxy.close();
  });

  test('comes back after it was killed', async () => {
    const cache = layered(await emptyRedis(server));
    await server.kill();
    expect(await cache.getMany([digestKey('a')])).toEqual([undefined]);
    await server.start();
    const other = new RedisCountCache(await emptyRedis(server));
    await other.setMany([[digestKey('a'), 1]]);
    await waitFor(async () => (await cache.getMany([digestKey('a')]))[0] === 1);
    await cache.close();
    await other.close();
  });
});
