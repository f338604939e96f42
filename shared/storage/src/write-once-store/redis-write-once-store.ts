import type { Redis } from 'ioredis';
import { disconnectRedis } from '../redis/connect-redis.js';
import { readPieces, writeOnce } from '../redis/pieces.js';
import { orStorageError } from '../redis/storage-error.js';
import type { WriteOnceStore } from './write-once-store.js';

/** On a Redis that does not evict. A small value takes one way there and back. */
export class RedisWriteOnceStore implements WriteOnceStore {
  readonly #redis: Redis;
  readonly #keyOf: (name: string) => string;

  /** The connection is the store's own from now on. */
  constructor(redis: Redis, keyOf: (name: string) => string) {
    this.#redis = redis;
    this.#keyOf = keyOf;
  }

  putOnce(name: string, bytes: Uint8Array, lifetimeMs: number): Promise<boolean> {
    return orStorageError(() => writeOnce(this.#redis, this.#keyOf(name), bytes, lifetimeMs));
  }

  get(name: string): Promise<Buffer | undefined> {
    return orStorageError(() => readPieces(this.#redis, this.#keyOf(name)));
  }

  close(): Promise<void> {
    return disconnectRedis(this.#redis);
  }
}
