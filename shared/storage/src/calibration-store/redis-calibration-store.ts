import type { CalibrationSample } from '@preflight/core';
import type { Redis } from 'ioredis';
import { connectRedis, disconnectRedis, isReadyWithin } from '../redis/connect-redis.js';
import { storageKeys } from '../redis/keys.js';
import { orStorageError } from '../redis/storage-error.js';
import { answersOf } from '../redis/transaction.js';
import { type CalibrationStore, MAX_MODELS, MAX_SAMPLES } from './calibration-store.js';

/** A model that nobody tells of for so long is forgotten. */
const LIFETIME_MS = 90 * 24 * 3_600_000;

/** Estimates do without, rather than have a request wait longer. */
const TIMEOUT_MS = 500;

/**
 * Samples on the Redis of the counts, which may evict them: the rules hold again then. Connects when it is first asked, since
 * coordinators never ask. Calls reject with `storage_unavailable`.
 */
export class RedisCalibrationStore implements CalibrationStore {
  readonly #url: string;
  #connection: Promise<Redis> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async add(model: string, sample: CalibrationSample): Promise<void> {
    const key = storageKeys.calibration(model);
    const names = storageKeys.calibratedModels();
    await orStorageError(async () => {
      const commands = (await this.#redis())
        .multi()
        .lpush(key, JSON.stringify(sample))
        .ltrim(key, 0, MAX_SAMPLES - 1)
        .pexpire(key, LIFETIME_MS)
        .zadd(names, sample.atMs, model)
        .zremrangebyrank(names, 0, -MAX_MODELS - 1)
        .pexpire(names, LIFETIME_MS);
      await answersOf(commands);
    });
  }

  async samples(model: string): Promise<readonly CalibrationSample[]> {
    const stored = await orStorageError(async () =>
      (await this.#redis()).lrange(storageKeys.calibration(model), 0, -1),
    );
    return stored.map((sample) => JSON.parse(sample) as CalibrationSample);
  }

  models(): Promise<readonly string[]> {
    return orStorageError(async () => (await this.#redis()).zrevrange(storageKeys.calibratedModels(), 0, -1));
  }

  async clear(model?: string): Promise<void> {
    const models = model === undefined ? await this.models() : [model];
    await orStorageError(async () => {
      const commands = (await this.#redis()).multi();
      for (const name of models)
        commands.del(storageKeys.calibration(name)).zrem(storageKeys.calibratedModels(), name);
      if (models.length > 0) await answersOf(commands);
    });
  }

  async close(): Promise<void> {
    if (this.#connection !== undefined) await disconnectRedis(await this.#connection);
  }

  async #redis(): Promise<Redis> {
    this.#connection ??= connectRedis(this.#url, { commandTimeoutMs: TIMEOUT_MS });
    const redis = await this.#connection;
    await isReadyWithin(redis, TIMEOUT_MS);
    return redis;
  }
}
