import type { Redis } from 'ioredis';
import { disconnectRedis } from '../redis/connect-redis.js';
import { readPieces, writeOnce } from '../redis/pieces.js';
import { orStorageError } from '../redis/storage-error.js';
import { messageStart, RedisMailbox } from './redis-mailbox.js';
import { type Address, type Expected, MAX_TOLD_BYTES, type WriteOnceStore } from './write-once-store.js';

/** On a Redis that does not evict. A small value takes one way there and back. */
export class RedisWriteOnceStore implements WriteOnceStore {
  readonly #redis: Redis;
  readonly #keyOf: (name: string) => string;
  readonly #mailbox: RedisMailbox;

  /** The connection is the store's own from now on. */
  constructor(redis: Redis, keyOf: (name: string) => string) {
    this.#redis = redis;
    this.#keyOf = keyOf;
    this.#mailbox = new RedisMailbox(redis);
  }

  get address(): Address {
    return this.#mailbox.address;
  }

  putOnce(name: string, bytes: Uint8Array, lifetimeMs: number, tellTo?: Address): Promise<boolean> {
    const isWhole = bytes.length <= MAX_TOLD_BYTES;
    const tell = tellTo === undefined ? undefined : { channel: tellTo, start: messageStart(name), isWhole };
    return orStorageError(() => writeOnce(this.#redis, this.#keyOf(name), bytes, { lifetimeMs, tell }));
  }

  get(name: string): Promise<Buffer | undefined> {
    return orStorageError(() => readPieces(this.#redis, this.#keyOf(name)));
  }

  async expireIn(name: string, lifetimeMs: number): Promise<void> {
    await orStorageError(() => this.#redis.pexpire(this.#keyOf(name), lifetimeMs));
  }

  expect(name: string): Expected {
    return this.#mailbox.expect(name);
  }

  close(): Promise<void> {
    this.#mailbox.close();
    return disconnectRedis(this.#redis);
  }
}
