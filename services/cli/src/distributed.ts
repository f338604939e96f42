import { nameVocabularies } from '@preflight/api';
import {
  AcceptedJobs,
  Coordinator,
  createJobConsumer,
  type QueuedJob,
  QueuedWork,
  watchPayloads,
} from '@preflight/coordinator';
import { createPool, type Pool } from '@preflight/pool';
import { type Config, ConfigError, type Log, Metrics } from '@preflight/runtime';
import { type Consumer, openStorage, type Storage } from '@preflight/storage';
import type { Backend } from './backend.js';
import { measuredCountCache } from './measured-count-cache.js';

/** This process's threads, and its connections to the stores that all processes share. */
interface Shared {
  readonly pool: Pool;
  readonly storage: Storage<QueuedJob>;
  readonly metrics: Metrics;
}

/** Work that goes over the queue, to be done by coordinators elsewhere. Also starts while Redis is away. */
export async function startQueuedWork(config: Config, log: Log): Promise<Backend> {
  return queuedWork(await open(config, log), config);
}

/** A coordinator of the queue. Also starts while Redis is away. */
export async function startCoordinator(
  config: Config,
  log: Log,
): Promise<
  Omit<Backend, 'work' | 'encode' | 'watchBody' | 'jobs' | 'payloads' | 'batches' | 'calibrations'>
> {
  const shared = await open(config, log);
  const consumer = consumerOf(shared, config, log);
  await consumer.start();
  return {
    metrics: shared.metrics,
    ready: () => shared.storage.ready(),
    async close() {
      await consumer.stop();
      await shared.pool.close();
      await shared.storage.close();
    },
  };
}

/** Both in one process, with one pool and the same memory for counts; the work goes over the queue all the same. */
export async function startQueuedWorkAndCoordinator(config: Config, log: Log): Promise<Backend> {
  const shared = await open(config, log);
  const consumer = consumerOf(shared, config, log);
  await consumer.start();
  const backend = queuedWork(shared, config);
  return {
    ...backend,
    async close() {
      await consumer.stop();
      await backend.close();
    },
  };
}

function queuedWork(
  { pool, storage, metrics }: Shared,
  { payloadLifetimeMs, resultLifetimeMs }: Config,
): Backend {
  const work = new QueuedWork({ pool, storage, payloadLifetimeMs });
  return {
    work,
    encode: (encoding, text, signal) => pool.encode(encoding, text, { signal }),
    watchBody: watchPayloads(pool.arriving),
    jobs: new AcceptedJobs({ pool, storage, payloadLifetimeMs, resultLifetimeMs }),
    payloads: storage.payloads,
    batches: storage.batches,
    calibrations: storage.calibrations,
    metrics,
    ready: () => storage.ready(),
    async close() {
      await work.close();
      await pool.close();
      await storage.close();
    },
  };
}

function consumerOf({ pool, storage, metrics }: Shared, config: Config, log: Log): Consumer {
  return createJobConsumer({
    coordinator: new Coordinator({ pool, cache: storage.countCache, payloads: storage.payloads }),
    pool,
    storage,
    concurrency: config.concurrency,
    resultLifetimeMs: config.resultLifetimeMs,
    deadlineMs: config.deadlineMs,
    // What is left of the time to drain is for the pool and the connections.
    stopGraceMs: config.drainMs / 2,
    log,
    metrics,
  });
}

async function open(config: Config, log: Log): Promise<Shared> {
  if (config.queueRedisUrl === undefined)
    throw new ConfigError(['PREFLIGHT_QUEUE_REDIS_URL: is needed to run API and coordinator apart']);
  nameVocabularies(config.tokenizers);
  const pool = createPool({ threads: config.threads, engine: config.engine });
  const opened = await openStorage<QueuedJob>({
    queueRedisUrl: config.queueRedisUrl,
    cacheRedisUrl: config.cacheRedisUrl,
    batchLifetimeMs: config.batchLifetimeMs,
    countMemoryBytes: config.cacheMemoryBytes,
    // A job that has ended is known as long as what it came to.
    jobLimits: { rememberMs: config.resultLifetimeMs },
    jobTiming: { lockMs: config.jobLockMs, stalledCheckMs: config.jobLockMs / 2 },
    onWarning: ({ code, detail }) => log.warn({ code, detail }, 'the stores are not as they should be'),
    onError: nowAndThen((error) =>
      // The message alone: errors of Redis carry the command, arguments and all.
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'a consumer has trouble'),
    ),
  });
  const metrics = new Metrics({ pool: () => pool.figures(), queue: () => opened.jobs.figures() });
  const storage = { ...opened, countCache: measuredCountCache(opened.countCache, metrics) };
  return { pool, storage, metrics };
}

/** While Redis is away, consumers complain several times a second. */
const QUIET_MS = 10_000;

/** Passes on the first call, and others only when none was for a while. */
function nowAndThen(tell: (error: unknown) => void): (error: unknown) => void {
  let quietUntilMs = 0;
  return (error) => {
    if (performance.now() < quietUntilMs) return;
    quietUntilMs = performance.now() + QUIET_MS;
    tell(error);
  };
}
