import type { Redis, RedisOptions } from 'ioredis';
import { writeByTurns } from './write-by-turns.js';

/** The pause before the next attempt to connect: 50 ms at first, 1 s at most, and never the same for all hosts. */
function reconnectDelayMs(attempt: number): number {
  return Math.min(50 * 2 ** (attempt - 1), 1_000) * (0.75 + Math.random() / 2);
}

export interface ConnectRedisOptions {
  /** A command that has no answer by then fails. */
  readonly commandTimeoutMs: number;
}

/**
 * A connection whose commands fail at once while Redis is away, instead of waiting for it: callers have an answer to
 * give. It reconnects by itself for ever. Loads ioredis; resolves at once, connected or not.
 */
export async function connectRedis(url: string, { commandTimeoutMs }: ConnectRedisOptions): Promise<Redis> {
  return open(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMs,
    connectTimeout: Math.max(commandTimeoutMs, 1_000),
  });
}

/** Waits until commands can be sent, at most so long; false if they cannot. */
export function isReadyWithin(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status === 'ready') return Promise.resolve(true);
  return new Promise((resolve) => {
    const answer = (isReady: boolean) => {
      clearTimeout(timer);
      redis.off('ready', onReady);
      resolve(isReady);
    };
    const onReady = () => answer(true);
    const timer = setTimeout(answer, timeoutMs, false);
    redis.once('ready', onReady);
  });
}

/** Says goodbye if Redis listens, at most 500 ms long. */
export async function disconnectRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') {
    const quitting = redis.quit().catch(() => {});
    await Promise.race([quitting, new Promise((resolve) => setTimeout(resolve, 500).unref())]);
  }
  redis.disconnect();
}

/**
 * Connections for readers, BullMQ's and our own, which block and wait for Redis as long as it takes. BullMQ duplicates what it is
 * given and closes the duplicates only when Redis answers; so all are remembered here, and can be cut off.
 */
export class BlockingConnections {
  readonly template: Redis;
  readonly #all: Redis[] = [];

  private constructor(template: Redis) {
    this.template = template;
    this.#all.push(template);
    const duplicate = template.duplicate.bind(template);
    template.duplicate = (options) => {
      const copy = duplicate({ ...options, lazyConnect: false });
      copy.on('error', () => {});
      writeByTurns(copy);
      this.#all.push(copy);
      return copy;
    };
  }

  static async open(url: string): Promise<BlockingConnections> {
    return new BlockingConnections(await open(url, { maxRetriesPerRequest: null }));
  }

  disconnect(): void {
    for (const redis of this.#all) redis.disconnect();
  }
}

async function open(url: string, options: Omit<RedisOptions, 'replyMapping'>): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis<'legacy'>(url, { retryStrategy: reconnectDelayMs, ...options });
  // Every failure reaches somebody as that of a command; without a listener ioredis would print it besides.
  redis.on('error', () => {});
  writeByTurns(redis);
  return redis;
}
