import { Redis } from 'ioredis';
import { type RedisServer, type RedisServerOptions, startRedisServer } from './redis-server.js';
import { type ServerProcess, type ServiceOptions, startServer } from './server-process.js';

type AtEnd = NonNullable<ServiceOptions['atEnd']>;

/** Two real Redis, and as many processes as are started; all ended when `atEnd` says so. */
export class DistributedWorld {
  private constructor(
    readonly queueRedis: RedisServer,
    readonly cacheRedis: RedisServer,
    readonly settings: Record<string, string>,
    readonly atEnd: AtEnd,
  ) {}

  static async start(
    atEnd: AtEnd,
    settings: Record<string, string> = {},
    queueOptions: RedisServerOptions = {},
  ): Promise<DistributedWorld> {
    const [queueRedis, cacheRedis] = await Promise.all([
      startRedisServer(queueOptions),
      startRedisServer({ policy: 'allkeys-lfu', maxMemoryBytes: 64 * 1024 * 1024 }),
    ]);
    atEnd(async () => {
      await Promise.all([queueRedis.dispose(), cacheRedis.dispose()]);
    });
    const addresses = {
      PREFLIGHT_QUEUE_REDIS_URL: queueRedis.url,
      PREFLIGHT_CACHE_REDIS_URL: cacheRedis.url,
      PREFLIGHT_THREADS: '1',
    };
    return new DistributedWorld(queueRedis, cacheRedis, { ...addresses, ...settings }, atEnd);
  }

  startApi(settings: Record<string, string> = {}): Promise<ServerProcess> {
    return this.#start('api', settings);
  }

  startCoordinator(settings: Record<string, string> = {}): Promise<ServerProcess> {
    return this.#start('coordinator', settings);
  }

  /** API and coordinator in one process. */
  startBoth(settings: Record<string, string> = {}): Promise<ServerProcess> {
    return this.#start('serve', settings);
  }

  /** A connection of the test's own to the queue's Redis, for as long as `look` takes. */
  look<Seen>(look: (redis: Redis) => Promise<Seen>): Promise<Seen> {
    return connected(this.queueRedis.url, look);
  }

  /** The same to the Redis of the counts. */
  lookAtCounts<Seen>(look: (redis: Redis) => Promise<Seen>): Promise<Seen> {
    return connected(this.cacheRedis.url, look);
  }

  /** Keys on the queue's Redis whose names start with this, the common prefix left out. */
  keys(start = ''): Promise<string[]> {
    const prefix = '{preflight}:';
    return this.look(async (redis) => {
      const names = await redis.keys(`${prefix}${start}*`);
      return names.map((name) => name.slice(prefix.length)).sort();
    });
  }

  #start(command: NonNullable<ServiceOptions['command']>, settings: Record<string, string>) {
    return startServer({ ...this.settings, ...settings }, { command, atEnd: this.atEnd });
  }
}

async function connected<Seen>(url: string, look: (redis: Redis) => Promise<Seen>): Promise<Seen> {
  const redis = new Redis(url);
  try {
    return await look(redis);
  } finally {
    redis.disconnect();
  }
}
