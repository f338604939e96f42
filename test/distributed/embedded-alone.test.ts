import { expect, onTestFinished, test } from 'vitest';
import { DistributedWorld } from '../harness/distributed.js';
import { post } from '../harness/http.js';
import { runCommand, startServer } from '../harness/server-process.js';
import { finalAnswer, submit } from '../jobs/job-calls.js';

/** Has a process tell, when it ends, what it loaded of the libraries that only the queue needs. */
const TELLING = {
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(`
    import { createRequire } from 'node:module';
    import { isMainThread } from 'node:worker_threads';
    const { cache } = createRequire(process.cwd() + '/');
    const names = ['bullmq', 'ioredis'];
    const isLoaded = (name) => Object.keys(cache).some((file) => file.includes('/node_modules/' + name + '/'));
    if (isMainThread) process.on('exit', () => console.log('loaded:' + names.filter(isLoaded)));
  `)}`,
};

test('an embedded service loads neither bullmq nor ioredis', async () => {
  const server = await startServer(TELLING);
  expect((await post(server.url, '/v1/count', { text: 'a b', encoding: 'o200k_base' })).body.tokens).toBe(2);
  const { body } = await submit(server.url, '/v1/count', { text: 'a b', encoding: 'o200k_base' });
  expect((await finalAnswer(server.url, body.id)).body.result.tokens).toBe(2);
  expect(await server.stop()).toBe(0);
  expect(server.output()).toMatch(/loaded:\n/);
});

test('with Redis both are loaded, or the test above would show nothing', async () => {
  const world = await DistributedWorld.start(onTestFinished);
  const server = await world.startBoth(TELLING);
  expect(await server.stop()).toBe(0);
  expect(server.output()).toMatch(/loaded:bullmq,ioredis\n/);
});

test.each(['api', 'coordinator'])('%s says what it needs, and ends with 78', async (command) => {
  const { code, stderr } = await runCommand([command]);
  expect([code, stderr]).toEqual([78, expect.stringContaining('PREFLIGHT_QUEUE_REDIS_URL: is needed')]);
});

test('passwords of Redis are not logged', async () => {
  const world = await DistributedWorld.start(onTestFinished);
  const url = (address: string) => address.replace('//', '//default:xylophone@');
  const server = await world.startBoth({
    PREFLIGHT_QUEUE_REDIS_URL: url(world.queueRedis.url),
    PREFLIGHT_CACHE_REDIS_URL: url(world.cacheRedis.url),
    PREFLIGHT_LOG_LEVEL: 'debug',
  });
  expect(await server.stop()).toBe(0);
  expect(server.output()).toContain('***@127.0.0.1');
  expect(server.output()).not.toContain('xylophone');
});
