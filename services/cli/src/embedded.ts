import { Answerer, Calibrations, nameVocabularies, readModels, readPricing } from '@preflight/api';
import {
  AcceptedJobs,
  Coordinator,
  createJobConsumer,
  type QueuedJob,
  watchPayloads,
} from '@preflight/coordinator';
import { createPool } from '@preflight/pool';
import { type Config, type Log, Metrics } from '@preflight/runtime';
import { openStorage } from '@preflight/storage';
import type { Backend } from './backend.js';
import { measuredCountCache } from './measured-count-cache.js';

/** Everything in this process: threads, stores, coordinator. No service beside it is needed. */
export interface Embedded extends Backend {
  /** What the HTTP calls answer, without HTTP. */
  readonly answerer: Answerer;
}

/** Who waits is answered without a queue; jobs wait in one in memory, and end with the process. */
export async function startEmbedded(config: Config, log: Log): Promise<Embedded> {
  const { maxMessages, defaultContextWindowTokens, payloadLifetimeMs, resultLifetimeMs } = config;
  nameVocabularies(config.tokenizers);
  const models = readModels(config.modelsFile);
  const pricing = readPricing(config);
  const pool = createPool({ threads: config.threads, engine: config.engine });
  const opened = await openStorage<QueuedJob>({
    directory: config.dataDir,
    countMemoryBytes: config.cacheMemoryBytes,
    batchLifetimeMs: config.batchLifetimeMs,
    payloadMemoryBytes: config.blobMemoryBytes,
    jobLimits: { rememberMs: resultLifetimeMs },
    onWarning: (warning) => log.warn({ warning }, 'the data folder cannot be used'),
  });
  const metrics = new Metrics({ pool: () => pool.figures(), queue: () => opened.jobs.figures() });
  const storage = { ...opened, countCache: measuredCountCache(opened.countCache, metrics) };
  const coordinator = new Coordinator({ pool, cache: storage.countCache, payloads: storage.payloads });
  const consumer = createJobConsumer({
    coordinator,
    pool,
    storage,
    concurrency: config.concurrency,
    resultLifetimeMs,
    deadlineMs: config.deadlineMs,
    stopGraceMs: config.drainMs / 2,
    log,
    metrics,
  });
  await consumer.start();
  return {
    work: coordinator,
    encode: (encoding, text, signal) => pool.encode(encoding, text, { signal }),
    watchBody: watchPayloads(pool.arriving),
    payloads: storage.payloads,
    jobs: new AcceptedJobs({ pool, storage, payloadLifetimeMs, resultLifetimeMs }),
    batches: storage.batches,
    calibrations: storage.calibrations,
    metrics,
    ready: async () => undefined,
    answerer: new Answerer({
      work: coordinator,
      log,
      metrics,
      models,
      pricing,
      calibrations: new Calibrations(storage.calibrations, models, pricing.rules),
      maxMessages,
      defaultContextWindowTokens,
    }),
    async close() {
      await consumer.stop();
      await pool.close();
      await storage.close();
    },
  };
}
