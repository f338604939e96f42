import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type RedisServer,
  type RedisServerOptions,
  startRedisServer,
} from '../../../test/harness/redis-server.js';
import { TcpProxy } from '../../../test/harness/tcp-proxy.js';
import { waitFor } from '../../../test/harness/wait-for.js';
import { digestKey, someEntries } from './count-cache/count-cache.contract.js';
import { type OpenStorageOptions, openStorage, type Storage } from './open-storage.js';
import { connectRedis, isReadyWithin } from './redis/connect-redis.js';

const run = promisify(execFile);
const AWAY = 'redis://127.0.0.1:1';

let warnings: string[];
let storage: Storage | undefined;
beforeEach(() => {
  warnings = [];
});
afterEach(async () => {
  await storage?.close();
  storage = undefined;
});

async function open(options: Partial<OpenStorageOptions>): Promise<Storage> {
  storage = await openStorage({ ...options, onWarning: ({ code }) => void warnings.push(code) });
  return storage;
}

/** Each part does its work. */
async function expectWorks({ countCache, payloads, results, jobs, ready }: Storage): Promise<void> {
  await countCache.setMany([[digestKey('a'), 1]]);
  expect(await countCache.getMany([digestKey('a')])).toEqual([1]);
  await payloads.put('digest', Buffer.from('bytes'), { lifetimeMs: 10_000 });
  expect((await payloads.get('digest'))?.toString()).toBe('bytes');
  await results.putOnce('job-a', Buffer.from('result'), 10_000);
  expect((await results.get('job-a'))?.toString()).toBe('result');
  await jobs.consume(async () => {}, { concurrency: 1 }).start();
  await jobs.add({ id: 'job-a', data: {} });
  expect(await jobs.waitUntilFinal('job-a', AbortSignal.timeout(20_000))).toEqual({ status: 'completed' });
  expect(await ready()).toBeUndefined();
}

test('embedded: works alone', async () => {
  await expectWorks(await open({}));
  await storage?.close();
  await expectOwnsAhead(await open({}));
  expect(warnings).toEqual([]);
});

/** Jobs whose handlers look for what is their own; it was sent with them, and not waited for. */
async function expectOwnsAhead({ payloads, jobs }: Storage): Promise<void> {
  const found = new Map<string, string | undefined>();
  const consumer = jobs.consume(
    async ({ id }) => void found.set(id, (await payloads.getOwn(id))?.toString()),
    { concurrency: 8 },
  );
  await consumer.start();
  const ids = Array.from({ length: 300 }, (_, i) => `job-${i}`);
  const sendings = ids.map(async (id) => {
    const storing = payloads.putOwn(id, Buffer.from(`own of ${id}`), 10_000);
    await Promise.all([storing, jobs.add({ id, data: {}, isNew: true })]);
  });
  await Promise.all(sendings);
  await waitFor(() => found.size === ids.length);
  expect([...found.values()].sort()).toEqual(ids.map((id) => `own of ${id}`).sort());
}

test('embedded: bullmq and ioredis are not loaded', async () => {
  const script = `
    import { createRequire } from 'node:module';
    import { openStorage } from '@preflight/storage';
    const loaded = () => {
      const files = Object.keys(createRequire(import.meta.url).cache);
      return ['bullmq', 'ioredis'].filter((name) => files.some((file) => file.includes('/node_modules/' + name + '/')));
    };
    const storage = await openStorage({ onWarning() {} });
    const embedded = loaded();
    await storage.close();
    await (await openStorage({ queueRedisUrl: '${AWAY}', connectTimeoutMs: 1, onWarning() {} })).close();
    console.log(JSON.stringify([embedded, loaded()]));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  });
  expect(JSON.parse(stdout)).toEqual([[], ['bullmq', 'ioredis']]);
});

describe('distributed', () => {
  const servers: RedisServer[] = [];
  const start = async (options: RedisServerOptions) => {
    const server = await startRedisServer(options);
    servers.push(server);
    return server;
  };
  let queue: RedisServer;
  let cache: RedisServer;
  beforeAll(async () => {
    queue = await start({ appendOnly: true });
    cache = await start({ maxMemoryBytes: 8 * 2 ** 20, policy: 'allkeys-lfu' });
  });
  afterAll(() => Promise.all(servers.map((server) => server.dispose())));

  test('two Redis as they should be: works, and nobody is warned', async () => {
    await expectWorks(await open({ queueRedisUrl: queue.url, cacheRedisUrl: cache.url }));
    expect(warnings).toEqual([]);
  });

  test('what is a job’s own is there when it is taken, also if Redis knows no script', async () => {
    const redis = await connectRedis(queue.url, { commandTimeoutMs: 2_000 });
    expect(await isReadyWithin(redis, 2_000)).toBe(true);
    await redis.script('FLUSH');
    await expectOwnsAhead(await open({ queueRedisUrl: queue.url, cacheRedisUrl: cache.url }));
    redis.disconnect();
  });

  test('one address for both works, with a warning', async () => {
    const one = await start({ appendOnly: true });
    await expectWorks(await open({ queueRedisUrl: one.url, cacheRedisUrl: `${one.url}/1` }));
    expect(warnings).toEqual(['one_redis_for_both']);
    await storage?.close();
    await open({ queueRedisUrl: one.url });
    expect(warnings).toEqual(['one_redis_for_both', 'one_redis_for_both']);
  });

  test('a cluster: nothing touches two slots at a time', async () => {
    const cluster = await start({ appendOnly: true, isCluster: true });
    const opened = await open({ queueRedisUrl: cluster.url, cacheRedisUrl: cluster.url });
    await expectWorks(opened);
    const { countCache, payloads, jobs } = opened;
    const entries = someEntries(100);
    await countCache.setMany(entries);
    expect(await countCache.getMany(entries.map(([key]) => key))).toEqual(entries.map(([, count]) => count));
    const digests = ['a', 'b', 'c'];
    for (const digest of digests) {
      await payloads.put(digest, Buffer.alloc(1_000_000), { lease: 'one', lifetimeMs: 10_000 });
    }
    expect(await payloads.lease('two', digests, 10_000)).toEqual([]);
    await payloads.release(['one']);
    await payloads.release(['two']);
    expect(await payloads.has(digests)).toEqual([false, false, false]);
    await jobs.close();
  });

  test('the other way round: each is warned of', async () => {
    await open({ queueRedisUrl: cache.url, cacheRedisUrl: queue.url });
    await waitFor(() => warnings.length === 3);
    expect(warnings.sort()).toEqual([
      'cache_redis_unbounded',
      'queue_redis_evicts',
      'queue_redis_not_durable',
    ]);
  });

  test('turns red while Redis is away, fails at once, and comes back by itself', async () => {
    const server = await start({ appendOnly: true });
    const { ready, jobs, results } = await open({ queueRedisUrl: server.url, cacheRedisUrl: cache.url });
    expect(await ready()).toBeUndefined();
    await server.kill();
    // Whatever waits for an answer fails by the timeout of its command.
    const internalDetail = expect.not.stringMatching(/timed? ?out/i);
    const unavailable = { code: 'storage_unavailable', internalDetail };
    expect(await waitFor(ready)).toMatchObject({ code: 'storage_unavailable' });
    await expect(jobs.add({ id: 'job-a', data: {} })).rejects.toMatchObject(unavailable);
    await expect(results.get('job-a')).rejects.toMatchObject(unavailable);
    await server.start();
    await waitFor(async () => (await ready()) === undefined);
    expect(await jobs.add({ id: 'job-a', data: {} })).toBe('added');
  });

  test('turns red while Redis is full', async () => {
    const server = await start({ appendOnly: true });
    const { ready, payloads, jobs } = await open({ queueRedisUrl: server.url, cacheRedisUrl: cache.url });
    const operator = await connectRedis(server.url, { commandTimeoutMs: 2_000 });
    await isReadyWithin(operator, 5_000);
    await payloads.put('before', Buffer.alloc(100), { lease: 'job-a', lifetimeMs: 10_000 });
    await operator.config('SET', 'maxmemory', 1);
    const overloaded = { code: 'overloaded' };
    expect(await ready()).toMatchObject(overloaded);
    await expect(jobs.add({ id: 'job-a', data: {} })).rejects.toMatchObject(overloaded);
    await expect(payloads.put('a', Buffer.alloc(10), { lifetimeMs: 10_000 })).rejects.toMatchObject(
      overloaded,
    );
    await payloads.release(['job-a']);
    expect(await payloads.has(['before'])).toEqual([false]);
    await operator.config('SET', 'maxmemory', 0);
    expect(await ready()).toBeUndefined();
    operator.disconnect();
  });

  test('turns red while Redis does not answer', async () => {
    const proxy = await TcpProxy.to(queue.port);
    const { ready } = await open({ queueRedisUrl: proxy.url, cacheRedisUrl: cache.url });
    expect(await ready()).toBeUndefined();
    proxy.behaviour = 'stall';
    expect(await ready()).toMatchObject({ code: 'storage_unavailable' });
    proxy.behaviour = 'pass';
    await waitFor(async () => (await ready()) === undefined);
    await storage?.close();
    storage = undefined;
    await proxy.close();
  });

  test('a Redis that comes later than the process', async () => {
    const server = await start({ appendOnly: true });
    await server.kill();
    const opened = await open({ queueRedisUrl: server.url, cacheRedisUrl: AWAY, connectTimeoutMs: 50 });
    expect(await opened.ready()).toMatchObject({ code: 'storage_unavailable' });
    const consumer = opened.jobs.consume(async () => {}, { concurrency: 1 });
    await consumer.start();
    const early = opened.jobs.waitUntilFinal('job-a', AbortSignal.timeout(30_000));
    await server.start();
    await waitFor(async () => (await opened.ready()) === undefined);
    expect(await waitFor(() => opened.jobs.add({ id: 'job-a', data: {} }).catch(() => undefined))).toBe(
      'added',
    );
    expect(await early).toEqual({ status: 'completed' });
  });

  test('closing takes a bounded time while Redis is away, and leaves nothing that keeps the process', async () => {
    const script = `
      import { setTimeout as delay } from 'node:timers/promises';
      import { openStorage } from '@preflight/storage';
      const storage = await openStorage({ queueRedisUrl: process.argv[1], onWarning() {} });
      await storage.jobs.consume(async () => {}, { concurrency: 4, stopGraceMs: 300 }).start();
      storage.jobs.waitUntilFinal('job-a', new AbortController().signal);
      // A command may take too long on a busy machine, or be refused at once before there is a connection.
      const isKnown = () => storage.jobs.state('job-a').then(() => true, () => false);
      while (!(await isKnown())) await delay(20);
      process.stdout.write('ready');
      process.stdin.once('data', async () => {
        await storage.close();
        process.stdin.destroy();
      });`;
    const server = await start({ appendOnly: true });
    const child = execFile(process.execPath, ['--input-type=module', '-e', script, server.url], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
    });
    const exit = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
    expect(await Promise.race([exit, once(child.stdout as Readable, 'data').then(String)])).toBe('ready');
    await server.kill();
    const startMs = performance.now();
    child.stdin?.write('close');
    expect(await exit).toBe(0);
    // It would wait for a Redis that never comes.
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });
});
