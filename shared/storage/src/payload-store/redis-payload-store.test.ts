import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RedisServer, startRedisServer } from '../../../../test/harness/redis-server.js';
import { TcpProxy } from '../../../../test/harness/tcp-proxy.js';
import { waitFor } from '../../../../test/harness/wait-for.js';
import { connectRedis, isReadyWithin } from '../redis/connect-redis.js';
import { emptyRedis } from '../redis/empty-redis.contract.js';
import { describePayloadStore, payload } from './payload-store.contract.js';
import { RedisPayloadStore } from './redis-payload-store.js';

const MINUTE_MS = 60_000;

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer({ appendOnly: true });
});
afterAll(() => server.dispose());

describePayloadStore('RedisPayloadStore', async () => new RedisPayloadStore(await emptyRedis(server)));

describe('payloads on Redis', () => {
  test('leave no key behind: released, expired, or broken off', async () => {
    const redis = await emptyRedis(server);
    const store = new RedisPayloadStore(redis);
    const [a, b, c] = [payload(3_000_000), payload(100), payload(2_000_000)];
    await store.put(a.digest, a.bytes, { lease: 'job', lifetimeMs: MINUTE_MS });
    await store.put(b.digest, b.bytes, { lease: 'job', lifetimeMs: MINUTE_MS });
    await store.putOwn('job', c.bytes, MINUTE_MS);
    for (const key of await redis.keys('*')) expect(await redis.pttl(key)).toBeGreaterThan(0);
    await store.release(['job']);
    expect(await redis.dbsize()).toBe(0);
    await store.put(c.digest, c.bytes, { lease: 'gone', lifetimeMs: 50 });
    await store.putOwn('gone', b.bytes, 50);
    await store.put(b.digest, b.bytes, { lifetimeMs: 50 });
    await waitFor(async () => (await redis.dbsize()) === 0, { what: 'no keys' });
    await store.close();
  });

  test('every key carries the hash tag, so that a cluster keeps them together', async () => {
    const redis = await emptyRedis(server);
    const store = new RedisPayloadStore(redis);
    const { bytes, digest } = payload(100);
    await store.put(digest, bytes, { lease: 'job', lifetimeMs: MINUTE_MS });
    await store.putOwn('job', bytes, MINUTE_MS);
    const keys = await redis.keys('*');
    expect(keys).toHaveLength(4);
    for (const key of keys) expect(key).toMatch(/^\{preflight\}:/);
    await store.close();
  });

  test('survive a crash of Redis, and the connection comes back', async () => {
    const redis = await emptyRedis(server);
    const store = new RedisPayloadStore(redis);
    const { bytes, digest } = payload(2_500_000);
    await store.put(digest, bytes, { lease: 'job', lifetimeMs: MINUTE_MS });
    await server.kill();
    await waitFor(() => redis.status !== 'ready');
    // At once: whatever waits for an answer fails by the timeout of its command.
    const internalDetail = expect.not.stringMatching(/timed? ?out/i);
    const unavailable = { code: 'storage_unavailable', internalDetail };
    await expect(store.get(digest)).rejects.toMatchObject(unavailable);
    await expect(store.has([digest])).rejects.toMatchObject(unavailable);
    await expect(store.release(['job'])).rejects.toMatchObject(unavailable);
    await expect(store.put(digest, bytes, { lifetimeMs: 1 })).rejects.toMatchObject(unavailable);
    await server.start();
    expect(await isReadyWithin(redis, 10_000)).toBe(true);
    expect((await store.get(digest))?.equals(bytes)).toBe(true);
    await store.release(['job']);
    expect(await redis.dbsize()).toBe(0);
    await store.close();
  });

  test('a Redis that does not answer costs the command timeout, no more', async () => {
    const proxy = await TcpProxy.to(server.port);
    const redis = await connectRedis(proxy.url, { commandTimeoutMs: 200 });
    await isReadyWithin(redis, 5_000);
    const store = new RedisPayloadStore(redis);
    proxy.behaviour = 'stall';
    const startMs = performance.now();
    await expect(store.has(['a'])).rejects.toMatchObject({ code: 'storage_unavailable' });
    // Without a timeout it would wait for ever.
    expect(performance.now() - startMs).toBeLessThan(10_000);
    proxy.behaviour = 'pass';
    await waitFor(async () => (await store.has(['a']).catch(() => undefined)) !== undefined);
    await store.close();
    await proxy.close();
  });

  test('a broken value reads as absent', async () => {
    const redis = await emptyRedis(server);
    const store = new RedisPayloadStore(redis);
    const { bytes, digest } = payload(3_000_000);
    await store.put(digest, bytes, { lifetimeMs: MINUTE_MS });
    const key = `{preflight}:payload:${digest}`;
    await redis.hset(key, '2', 'short');
    expect(await store.get(digest)).toBeUndefined();
    await redis.hdel(key, '0');
    expect(await store.get(digest)).toBeUndefined();
    await store.close();
  });

  test('8 MiB are written in pieces, none of which takes long', async () => {
    const redis = await emptyRedis(server);
    const store = new RedisPayloadStore(redis);
    const { bytes, digest } = payload(8 * 2 ** 20);
    await store.put(digest, bytes, { lifetimeMs: MINUTE_MS });
    const { size, ...pieces } = await redis.hgetallBuffer(`{preflight}:payload:${digest}`);
    expect(size?.toString()).toBe(String(bytes.length));
    expect(Object.keys(pieces)).toHaveLength(16);
    for (const piece of Object.values(pieces)) expect(piece.length).toBeLessThanOrEqual(512 * 1024);
    await store.close();
  });
});

describe('a full Redis', () => {
  test('refuses payloads as overloaded, still releases them, and then has room', async () => {
    const full = await startRedisServer({ maxMemoryBytes: 20 * 2 ** 20 });
    const redis = await emptyRedis(full);
    const store = new RedisPayloadStore(redis);
    const refused = payload(4_000_000);
    const fill = async () => {
      for (let i = 0; i < 20; i += 1) {
        const { bytes, digest } = payload(2_000_000);
        await store.put(digest, bytes, { lease: `job-${i}`, lifetimeMs: MINUTE_MS });
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'overloaded' });
    await expect(store.put(refused.digest, refused.bytes, { lifetimeMs: MINUTE_MS })).rejects.toMatchObject({
      code: 'overloaded',
    });
    expect(await store.get(refused.digest)).toBeUndefined();
    for (let i = 0; i < 20; i += 1) await store.release([`job-${i}`]);
    await waitFor(async () => (await redis.dbsize()) === 0, { what: 'no keys' });
    await waitFor(async () =>
      store.put(refused.digest, refused.bytes, { lifetimeMs: MINUTE_MS }).then(
        () => true,
        () => false,
      ),
    );
    await store.close();
    await full.dispose();
  });
});
