import type { Redis } from 'ioredis';
import { disconnectRedis } from '../redis/connect-redis.js';
import { storageKeys } from '../redis/keys.js';
import { readPieces, writePieces } from '../redis/pieces.js';
import { orStorageError } from '../redis/storage-error.js';
import type { ResultStore } from './result-store.js';

/** Results on a Redis that does not evict. A small one takes one way there and back. */
export class RedisResultStore implements ResultStore {
  readonly #redis: Redis;

  /** The connection is the store's own from now on. */
  constructor(redis: Redis) {
    this.#redis = redis;
  }

  putOnce(jobId: string, bytes: Uint8Array, lifetimeMs: number): Promise<boolean> {
    return orStorageError(() => writePieces(this.#redis, storageKeys.result(jobId), bytes, { lifetimeMs }));
  }

  get(jobId: string): Promise<Buffer | undefined> {
    return orStorageError(() => readPieces(this.#redis, storageKeys.result(jobId)));
  }

  close(): Promise<void> {
    return disconnectRedis(this.#redis);
  }
}
