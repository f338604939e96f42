import { afterAll, beforeAll } from 'vitest';
import { type RedisServer, startRedisServer } from '../../../../test/harness/redis-server.js';
import { emptyRedis } from '../redis/empty-redis.contract.js';
import { BullMqJobQueue } from './bullmq-job-queue.js';
import { describeJobQueue, TEST_LIMITS, type TestData } from './job-queue.contract.js';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer({ appendOnly: true });
});
afterAll(() => server.dispose());

describeJobQueue('BullMqJobQueue', async () => {
  const redis = await emptyRedis(server);
  return BullMqJobQueue.open<TestData>({ redis, redisUrl: server.url, limits: TEST_LIMITS });
});
