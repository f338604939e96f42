import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CalibrationSample } from '@preflight/core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RedisServer, startRedisServer } from '../../../../test/harness/redis-server.js';
import { emptyRedis } from '../redis/empty-redis.contract.js';
import { type CalibrationStore, MAX_SAMPLES } from './calibration-store.js';
import { LmdbCalibrationStore } from './lmdb-calibration-store.js';
import { MemoryCalibrationStore } from './memory-calibration-store.js';
import { openCalibrationStore } from './open-calibration-store.js';
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

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'preflight-calibrations-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const openLmdb = (options = {}) =>
  LmdbCalibrationStore.open(join(directory, 'data', 'calibrations.mdb'), options);

describe.each([
  ['MemoryCalibrationStore', async () => new MemoryCalibrationStore()],
  ['LmdbCalibrationStore', async () => openLmdb()],
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

describe('samples in a directory', () => {
  test('survive a restart, and are shared by those who have the file open', async () => {
    const [one, other] = [await openLmdb(), await openLmdb()];
    for (let i = 1; i <= 20; i++) await (i % 2 ? one : other).add('shared', sample(i));
    expect((await one.samples('shared')).map(({ factor }) => factor)).toEqual(
      Array.from({ length: 20 }, (_, i) => 20 - i),
    );
    expect(await other.samples('shared')).toEqual(await one.samples('shared'));
    await Promise.all([one.close(), other.close()]);
    const after = await openLmdb();
    expect(await after.samples('shared')).toHaveLength(20);
    await after.clear('shared');
    await after.close();
    const last = await openLmdb();
    expect([await last.models(), await last.samples('shared')]).toEqual([[], []]);
    await last.close();
  });

  test('are of so many models, and the one that was heard of first is forgotten', async () => {
    const store = await openLmdb({ maxModels: 10 });
    await store.add('kept', sample(5000));
    for (let i = 1; i <= 10; i++) await store.add(`model ${i}`, sample(i));
    const models = await store.models();
    expect([models.length, models[0]]).toEqual([10, 'kept']);
    expect(await store.samples('model 1')).toEqual([]);
    expect(await store.samples('model 2')).toHaveLength(1);
    await store.close();
  });

  test.each(['', ' ', 'ключ/モデル'.repeat(20), 'z'.repeat(200)])(
    'of the model "%s" are kept',
    async (model) => {
      const store = await openLmdb();
      await store.add(model, sample(1));
      expect([await store.models(), await store.samples(model)]).toEqual([[model], [sample(1)]]);
      await store.close();
    },
  );

  test.each([
    ['of noise', (path: string) => writeFile(path, 'nothing')],
    ['that was cut off', (path: string) => truncate(path, 4096)],
  ])('in a file %s make a warning, and memory takes its place', async (_, damage) => {
    const warnings: string[] = [];
    const open = (): Promise<CalibrationStore> =>
      openCalibrationStore({ directory, onWarning: ({ code }) => void warnings.push(code) });
    const before = await open();
    await before.add('one', sample(1));
    await before.close();
    await damage(join(directory, 'calibrations.mdb'));
    const after = await open();
    await after.add('one', sample(2));
    expect(await after.samples('one')).toEqual([sample(2)]);
    expect(warnings).toEqual(['calibrations_in_memory_only']);
    await after.close();
  });

  test('that are damaged inside are told as a store that is away', async () => {
    const path = join(directory, 'data', 'calibrations.mdb');
    const before = await openLmdb();
    for (let i = 0; i < 50; i++) await before.add(`model ${i}`, sample(1));
    await before.close();
    await writeFile(path, (await readFile(path)).fill(0, 2 * 4096));
    const store = await openLmdb();
    await expect(store.add('one', sample(1))).rejects.toMatchObject({ code: 'storage_unavailable' });
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
