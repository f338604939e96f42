import type { Redis } from 'ioredis';
import { disconnectRedis } from '../redis/connect-redis.js';
import { answersOf } from '../redis/transaction.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { type CountCache, type CountEntry, isCount } from './count-cache.js';
import { bytesOfKey, type DigestKey } from './count-key.js';
import { decodeCount, encodeCount } from './stored-count.js';

export interface RedisCountCacheOptions {
  /**
   * How long a count is kept after it was written. Undefined keeps it until Redis evicts it, which saves 40 of 147
   * bytes an entry, and is right only where `allkeys-lfu` and `maxmemory` are set.
   */
  readonly lifetimeMs?: number | undefined;
}

/**
 * The braces are a hash tag: in a cluster all counts live in one slot, whatever bytes the key has after it, so that
 * many are read by one command. With three bytes before it a key just fits an allocation of 48 bytes.
 */
const PREFIX = Buffer.from('{p}');

/** A batch takes this process and Redis less than 1 ms each. */
const BATCH_ENTRIES = 250;

/**
 * Counts on a Redis that many hosts share, and that may forget or be away: then it is not asked for a while, and all
 * counts are unknown. A value that is not whole, or not of this version, is unknown as well.
 *
 * A call takes at most the command timeout of the connection for each 250 counts, and after a failure none.
 */
export class RedisCountCache implements CountCache<DigestKey> {
  readonly #redis: Redis;
  readonly #lifetimeMs: number | undefined;
  readonly #breaker = new CircuitBreaker();

  /** The connection is the cache's own from now on. */
  constructor(redis: Redis, { lifetimeMs }: RedisCountCacheOptions = {}) {
    this.#redis = redis;
    this.#lifetimeMs = lifetimeMs;
  }

  /** Calls that were not even tried, because others had just failed. */
  get skippedCallCount(): number {
    return this.#breaker.skippedCallCount;
  }

  async getMany(keys: readonly DigestKey[]): Promise<(number | undefined)[]> {
    const counts: (number | undefined)[] = [];
    await this.#breaker.run(async () => {
      for (const batch of batchesOf(keys)) {
        const bytes = batch.map(bytesOfKey);
        const stored = await this.#redis.mgetBuffer(bytes.map(withPrefix));
        stored.forEach((value, index) => {
          counts.push(decodeCount(bytes[index] as Buffer, value ?? undefined));
        });
      }
    });
    return keys.map((_, index) => counts[index]);
  }

  async setMany(entries: readonly CountEntry<DigestKey>[]): Promise<void> {
    await this.#breaker.run(async () => {
      for (const batch of batchesOf(entries.filter(([, count]) => isCount(count)))) {
        const commands = this.#redis.pipeline();
        for (const [key, count] of batch) {
          const bytes = bytesOfKey(key);
          const value = encodeCount(bytes, count);
          if (this.#lifetimeMs === undefined) commands.set(withPrefix(bytes), value);
          else commands.set(withPrefix(bytes), value, 'PX', this.#lifetimeMs);
        }
        await answersOf(commands);
      }
    });
  }

  close(): Promise<void> {
    return disconnectRedis(this.#redis);
  }
}

function withPrefix(key: Buffer): Buffer {
  return Buffer.concat([PREFIX, key]);
}

function* batchesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < items.length; i += BATCH_ENTRIES) yield items.slice(i, i + BATCH_ENTRIES);
}
