import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { withTemporaryFolder } from './temporary-folder.mjs';

const PROGRAM = process.env.REDIS_SERVER ?? 'redis-server';

/** As `docker-compose.yml` has them, but for their sizes; how often the append-only file is synced is up to the caller. */
const QUEUE = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction'];
const CACHE = ['--appendonly', 'no', '--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lfu'];

/** Does something with two real Redis on free ports, one for the queue and one for the counts.
 * @template Result
 * @param {(urls: Record<'queue' | 'cache', string>,
 *   processes: Record<'queue' | 'cache', import('node:child_process').ChildProcess>) => Promise<Result>} work
 * @param {{ fsync?: 'always' | 'everysec' }} options when what the queue was told is on the disk: before it answers, or within a second
 */
export function withRedis(work, { fsync = 'always' } = {}) {
  return withTemporaryFolder(async (folder) => {
    const servers = [];
    try {
      for (const flags of [[...QUEUE, '--appendfsync', fsync], CACHE])
        servers.push(await startRedis(folder, flags));
      const [queue, cache] = servers;
      return await work({ queue: queue.url, cache: cache.url }, { queue: queue.child, cache: cache.child });
    } finally {
      for (const { child, ended } of servers) {
        child.kill('SIGTERM');
        await ended;
      }
    }
  });
}

async function startRedis(folder, flags) {
  const port = await freePort();
  const common = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const child = spawn(PROGRAM, [...common, ...flags], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const url = `redis://127.0.0.1:${port}`;
  const redis = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
  redis.on('error', () => {});
  const answers = await Promise.race([redis.ping(), wait(10_000)]);
  redis.disconnect();
  if (answers !== 'PONG') throw new Error(`${PROGRAM} does not answer`);
  return { url, child, ended };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}
