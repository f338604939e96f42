import type { Redis } from 'ioredis';
import type { RedisServer } from '../../../../test/harness/redis-server.js';
import { connectRedis, isReadyWithin } from './connect-redis.js';

/** A connection to the server of a test, after everything on it was deleted. */
export async function emptyRedis(server: RedisServer, commandTimeoutMs = 5_000): Promise<Redis> {
  const redis = await connectRedis(server.url, { commandTimeoutMs });
  if (!(await isReadyWithin(redis, 10_000))) throw new Error('the test server does not answer');
  await redis.flushall();
  return redis;
}
