import type { Redis } from 'ioredis';

/** A Redis that works, and will not always: for the operator. */
export interface RedisWarning {
  readonly code:
    | 'one_redis_for_both'
    | 'queue_redis_evicts'
    | 'queue_redis_not_durable'
    | 'cache_redis_unbounded';
  readonly detail: string;
}

type OnWarning = (warning: RedisWarning) => void;

/** Looks, when Redis is there for the first time, whether it keeps what it is given. */
export function checkQueueRedis(redis: Redis, onWarning: OnWarning): void {
  whenReady(redis, (info) => {
    const policy = info('maxmemory_policy');
    if (policy !== undefined && policy !== 'noeviction') {
      onWarning({
        code: 'queue_redis_evicts',
        detail: `The queue's Redis may throw jobs away when it is full: set maxmemory-policy noeviction (it is ${policy}).`,
      });
    }
    if (info('aof_enabled') === '0') {
      onWarning({
        code: 'queue_redis_not_durable',
        detail: "The queue's Redis forgets accepted jobs when it is restarted: set appendonly yes.",
      });
    }
  });
}

/** Looks, when Redis is there for the first time, whether counts can go on filling it. */
export function checkCacheRedis(redis: Redis, onWarning: OnWarning): void {
  whenReady(redis, (info) => {
    if (info('maxmemory') !== '0' && info('maxmemory_policy') !== 'noeviction') return;
    onWarning({
      code: 'cache_redis_unbounded',
      detail:
        'The Redis of the counts grows until it is full: set maxmemory, and maxmemory-policy allkeys-lfu.',
    });
  });
}

/** Whether two addresses lead to one server; databases of one server share its memory. */
export function isSameServer(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return a.hostname === b.hostname && (a.port || '6379') === (b.port || '6379');
}

/** INFO, since managed servers allow it where they forbid CONFIG. */
function whenReady(redis: Redis, check: (info: (field: string) => string | undefined) => void): void {
  const ask = async () => {
    const text = `${await redis.info('memory')}\n${await redis.info('persistence')}`;
    check((field) => new RegExp(`^${field}:(\\S*)`, 'm').exec(text)?.[1]);
  };
  const askQuietly = () => void ask().catch(() => {});
  if (redis.status === 'ready') askQuietly();
  else redis.once('ready', askQuietly);
}
