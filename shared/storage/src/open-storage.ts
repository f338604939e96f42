import { join } from 'node:path';
import { PreflightError } from '@preflight/core';
import type { BatchStore } from './batch-store/batch-store.js';
import { MemoryBatchStore } from './batch-store/memory-batch-store.js';
import { RedisBatchStore } from './batch-store/redis-batch-store.js';
import type { CalibrationStore } from './calibration-store/calibration-store.js';
import {
  type CalibrationsWarning,
  openCalibrationStore,
} from './calibration-store/open-calibration-store.js';
import type { CountCache } from './count-cache/count-cache.js';
import { LayeredCountCache } from './count-cache/layered-count-cache.js';
import { MemoryCountCache } from './count-cache/memory-count-cache.js';
import { type CountCacheWarning, openCountCache } from './count-cache/open-count-cache.js';
import { RedisCountCache } from './count-cache/redis-count-cache.js';
import { BullMqJobQueue } from './job-queue/bullmq-job-queue.js';
import type { BullMqTiming } from './job-queue/bullmq-names.js';
import type { JobLimits } from './job-queue/job-limits.js';
import type { JobQueue } from './job-queue/job-queue.js';
import { MemoryJobQueue } from './job-queue/memory-job-queue.js';
import { MemoryPayloadStore } from './payload-store/memory-payload-store.js';
import type { PayloadStore } from './payload-store/payload-store.js';
import { RedisPayloadStore } from './payload-store/redis-payload-store.js';
import { connectRedis, isReadyWithin } from './redis/connect-redis.js';
import { storageKeys } from './redis/keys.js';
import { checkCacheRedis, checkQueueRedis, isSameServer, type RedisWarning } from './redis/redis-settings.js';
import { refusalOfWrites } from './redis/refusal-of-writes.js';
import { MemoryWriteOnceStore } from './write-once-store/memory-write-once-store.js';
import { RedisWriteOnceStore } from './write-once-store/redis-write-once-store.js';
import type { WriteOnceStore } from './write-once-store/write-once-store.js';

/** Something that works, and will not always: for the operator. */
export type StorageWarning = CountCacheWarning | CalibrationsWarning | RedisWarning;

export interface OpenStorageOptions {
  /**
   * Jobs, payloads and results: a Redis that does not evict, with an append-only file (`appendfsync always`, if it is to
   * lose nothing when it is killed: with `everysec` up to 2 s are lost). Without it, in memory.
   */
  readonly queueRedisUrl?: string | undefined;
  /** Counts: a Redis with `maxmemory` and `allkeys-lfu`. Without it, the queue's Redis; without both, the directory. */
  readonly cacheRedisUrl?: string | undefined;
  /** Where counts, and what is learned of models, are kept over restarts when no Redis keeps them; without it, in memory only. */
  readonly directory?: string | undefined;
  /** Bound of the counts in memory. Default 64 MiB. */
  readonly countMemoryBytes?: number | undefined;
  /** Bound of the payloads in memory, where no Redis keeps them. Default 512 MiB. */
  readonly payloadMemoryBytes?: number | undefined;
  /** How long a batch is kept after the last that was done to it. Default 1 hour. */
  readonly batchLifetimeMs?: number | undefined;
  /** How long counts are kept on Redis after they were written. Default 7 days. */
  readonly countLifetimeMs?: number | undefined;
  readonly jobLimits?: Partial<JobLimits> | undefined;
  readonly jobTiming?: Partial<BullMqTiming> | undefined;
  /** How long opening waits for Redis; after that it goes on without, and calls fail until Redis comes. Default 2 s. */
  readonly connectTimeoutMs?: number | undefined;
  /** What the operator should change. May come later than opening, when Redis does. */
  readonly onWarning: (warning: StorageWarning) => void;
  /** Failures of consumers that no caller learns of. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface Storage<Data extends object = object> {
  readonly countCache: CountCache;
  /** Beside the counts: what providers charged. */
  readonly calibrations: CalibrationStore;
  readonly payloads: PayloadStore;
  /** What jobs came to, by their ids. */
  readonly results: WriteOnceStore;
  /** Which job answers an idempotency key, by the digest of the key. */
  readonly claims: WriteOnceStore;
  readonly batches: BatchStore;
  readonly jobs: JobQueue<Data>;
  /** What keeps new work from being taken, or undefined. Takes 2 s at most. */
  ready(): Promise<PreflightError | undefined>;
  /** Stops consumers first, connections last; takes their grace and about 2 s, whether Redis is there or not. */
  close(): Promise<void>;
}

const DEFAULT_COUNT_LIFETIME_MS = 7 * 24 * 3_600_000;

const DEFAULT_BATCH_LIFETIME_MS = 3_600_000;

/** A cache that is slower than this is not worth asking. */
const CACHE_TIMEOUT_MS = 100;

/** Where a piece of 512 KiB takes longer, the network is broken. */
const QUEUE_TIMEOUT_MS = 2_000;

/** All that a process stores, embedded or distributed. Fails only for addresses that make no sense. */
export async function openStorage<Data extends object = object>(
  options: OpenStorageOptions,
): Promise<Storage<Data>> {
  const [{ payloads, results, claims, batches, jobs, ready }, countCache, calibrations] = await Promise.all([
    options.queueRedisUrl === undefined
      ? openMemory<Data>(options)
      : openRedis<Data>(options, options.queueRedisUrl),
    openCounts(options),
    openCalibrationStore(options),
  ]);
  return {
    countCache,
    calibrations,
    payloads,
    results,
    claims,
    batches,
    jobs,
    ready,
    async close() {
      await jobs.close();
      const stores = [payloads, results, claims, batches, countCache, calibrations];
      await Promise.all(stores.map((store) => store.close()));
    },
  };
}

type WithoutCounts<Data extends object> = Omit<Storage<Data>, 'countCache' | 'calibrations' | 'close'>;

async function openMemory<Data extends object>(options: OpenStorageOptions): Promise<WithoutCounts<Data>> {
  return {
    payloads: new MemoryPayloadStore({ maxBytes: options.payloadMemoryBytes }),
    results: new MemoryWriteOnceStore(),
    claims: new MemoryWriteOnceStore(),
    batches: new MemoryBatchStore({ lifetimeMs: batchLifetimeOf(options) }),
    jobs: new MemoryJobQueue<Data>(options.jobLimits),
    ready: async () => undefined,
  };
}

/**
 * Three connections, so that megabytes on their way do not hold up small commands; consumers, and those who listen, have
 * their own. What is small goes by one: what is sent in a turn of the event loop is one write here, and one turn of Redis.
 */
async function openRedis<Data extends object>(
  options: OpenStorageOptions,
  url: string,
): Promise<WithoutCounts<Data>> {
  const [bytes, batches, small] = await Promise.all([
    connectRedis(url, { commandTimeoutMs: QUEUE_TIMEOUT_MS }),
    connectRedis(url, { commandTimeoutMs: QUEUE_TIMEOUT_MS }),
    connectRedis(url, { commandTimeoutMs: QUEUE_TIMEOUT_MS }),
  ]);
  const jobs = await BullMqJobQueue.open<Data>({
    redis: small,
    redisUrl: url,
    limits: options.jobLimits,
    timing: options.jobTiming,
    onError: options.onError,
  });
  const timeoutMs = options.connectTimeoutMs ?? 2_000;
  checkQueueRedis(small, options.onWarning);
  await Promise.all([isReadyWithin(bytes, timeoutMs), jobs.ready(timeoutMs)]);
  return {
    payloads: new RedisPayloadStore(bytes, { ahead: small }),
    results: new RedisWriteOnceStore(small, storageKeys.result),
    claims: new RedisWriteOnceStore(small, storageKeys.claim),
    batches: new RedisBatchStore(batches, { lifetimeMs: batchLifetimeOf(options) }),
    jobs,
    async ready() {
      const areConnected = await Promise.all([isReadyWithin(bytes, 0), jobs.ready(0)]);
      return areConnected.every(Boolean) ? refusalOfWrites(small) : new PreflightError('storage_unavailable');
    },
  };
}

function batchLifetimeOf({ batchLifetimeMs = DEFAULT_BATCH_LIFETIME_MS }: OpenStorageOptions): number {
  return batchLifetimeMs;
}

async function openCounts(options: OpenStorageOptions): Promise<CountCache> {
  const { queueRedisUrl, cacheRedisUrl, countMemoryBytes, onWarning } = options;
  const url = cacheRedisUrl ?? queueRedisUrl;
  if (url === undefined) {
    const directory = options.directory && join(options.directory, 'counts');
    return openCountCache({ directory, memoryBytes: countMemoryBytes, onWarning });
  }
  const redis = await connectRedis(url, { commandTimeoutMs: CACHE_TIMEOUT_MS });
  if (queueRedisUrl !== undefined && isSameServer(url, queueRedisUrl)) {
    onWarning({
      code: 'one_redis_for_both',
      detail:
        'Counts share the Redis of the queue: when they fill it, no job is taken. Give them one of their own.',
    });
  } else checkCacheRedis(redis, onWarning);
  await isReadyWithin(redis, options.connectTimeoutMs ?? 2_000);
  return new LayeredCountCache({
    first: new MemoryCountCache(countMemoryBytes === undefined ? {} : { maxBytes: countMemoryBytes }),
    second: new RedisCountCache(redis, { lifetimeMs: options.countLifetimeMs ?? DEFAULT_COUNT_LIFETIME_MS }),
  });
}
