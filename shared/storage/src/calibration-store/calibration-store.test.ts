import type { CalibrationSample } from '@preflight/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RedisServer, startRedisServer } from '../../../../test/harness/redis-server.js';
import { emptyRedis } from '../redis/empty-redis.contract.js';
import { MAX_SAMPLES } from './calibration-store.js';
import { MemoryCalibrationStore } from './memory-calibration-store.js';
import { RedisCalibrationStore } from './redis-calibration-store.js';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer({});
});
afterAll(() => server.dispose());

const sample = (factor: number): CalibrationSample => ({
  rule: 'claude-4.7 2026-11',
  kind: 'prose',
  factor,
  atMs: 1_790_000_000_000 + factor,
});

describe.each([
  ['MemoryCalibrationStore', async () => new MemoryCalibrationStore()],
  [
    'RedisCalibrationStore',
    async () => {
      await (await emptyRedis(server)).quit();
      return new RedisCalibrationStore(server.url);
    },
  ],
] as const)('%s', (_, open) => {
  test('gives the samples of a model, newest first, and no more than its bound', async () => {
    const store = await open();
    expect(await store.samples('one')).toEqual([]);
    for (let i = 1; i <= MAX_SAMPLES + 5; i++) await store.add('one', sample(i));
    await store.add('two', sample(1000));
    const samples = await store.samples('one');
    expect(samples).toHaveLength(MAX_SAMPLES);
    expect(samples[0]).toEqual(sample(MAX_SAMPLES + 5));
    expect([...(await store.models())].sort()).toEqual(['one', 'two']);
    await store.close();
  });

  test('forgets one model, or all', async () => {
    const store = await open();
    for (const model of ['a', 'b', 'c']) await store.add(model, sample(1));
    await store.clear('b');
    await store.clear('never heard of');
    expect([...(await store.models())].sort()).toEqual(['a', 'c']);
    expect(await store.samples('b')).toEqual([]);
    await store.clear();
    expect(await store.models()).toEqual([]);
    expect(await store.samples('a')).toEqual([]);
    await store.close();
  });
});

test('what lies on Redis has a lifetime', async () => {
  const redis = await emptyRedis(server);
  const store = new RedisCalibrationStore(server.url);
  await store.add('one', sample(1));
  for (const key of await redis.keys('*')) expect(await redis.pttl(key)).toBeGreaterThan(0);
  await Promise.all([store.close(), redis.quit()]);
});

test('a Redis that is away is told in a while, and closing does not wait for it', async () => {
  const store = new RedisCalibrationStore('redis://127.0.0.1:1');
  await expect(store.samples('one')).rejects.toMatchObject({ code: 'storage_unavailable' });
  await store.close();
});
