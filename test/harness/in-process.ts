import { Answerer, createApi } from '@preflight/api';
import type { Jobs, Work } from '@preflight/contracts';
import {
  AcceptedJobs,
  Coordinator,
  createJobConsumer,
  type QueuedJob,
  watchPayloads,
} from '@preflight/coordinator';
import { createPool, type Pool } from '@preflight/pool';
import { type Config, type Log, Metrics, readConfig } from '@preflight/runtime';
import {
  type CountCache,
  MemoryCountCache,
  MemoryPayloadStore,
  openStorage,
  type PayloadStore,
  type Storage,
} from '@preflight/storage';
import { atEndOfFile } from './at-end-of-file.js';

/** A log that can be read. */
export function recordingLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const record = (...parts: unknown[]) => {
    lines.push(parts.map(printed).join(' '));
  };
  const log = { debug: record, info: record, warn: record, error: record, fatal: record };
  return { log: log as unknown as Log, lines };
}

export interface Parts {
  readonly pool: Pool;
  readonly payloads: PayloadStore;
  readonly coordinator: Coordinator;
  readonly answerer: Answerer;
}

export interface PartOptions {
  readonly threads?: number;
  readonly engine?: Pool['engine'];
  readonly cache?: CountCache;
  readonly log?: Log;
}

/** All but HTTP, in this process, for the tests of one file; closed behind them. */
export function startParts(options: PartOptions = {}): Parts {
  const pool = createPool({ threads: options.threads ?? 2, engine: options.engine ?? 'kernel' });
  const cache = options.cache ?? new MemoryCountCache({});
  atEndOfFile(async () => {
    await pool.close();
    await Promise.all([cache.close(), payloads.close()]);
  });
  const payloads = new MemoryPayloadStore();
  const coordinator = new Coordinator({ pool, cache, payloads });
  const answerer = new Answerer({
    work: coordinator,
    log: options.log ?? recordingLog().log,
    metrics: new Metrics(),
    maxMessages: 250_000,
    defaultContextWindowTokens: undefined,
  });
  return { pool, payloads, coordinator, answerer };
}

export interface InProcessApi extends Parts {
  readonly url: string;
  readonly lines: string[];
  stop(): Promise<void>;
}

/** The whole service in this process on a free port, for the tests of one file; stopped behind them. */
export async function startApi(
  settings: Record<string, string> = {},
  { work }: { work?: Work } = {},
): Promise<InProcessApi> {
  const { log, lines } = recordingLog();
  const config: Config = readConfig({ PREFLIGHT_DATA_DIR: 'none', PREFLIGHT_THREADS: '2', ...settings });
  const parts = startParts({ threads: config.threads, engine: config.engine, log });
  const opened = await openStorage<QueuedJob>({ onWarning: () => undefined });
  const storage = { ...opened, payloads: parts.payloads };
  const { app, stop } = await createApi({
    work: work ?? parts.coordinator,
    encode: (encoding, text, signal) => parts.pool.encode(encoding, text, { signal }),
    watchBody: watchPayloads(parts.pool.arriving),
    jobs: await startJobs(parts, storage, config, log),
    payloads: parts.payloads,
    batches: storage.batches,
    config,
    log,
  });
  atEndOfFile(stop);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { ...parts, url, lines, stop };
}

/** Jobs of callers who do not wait, done by the same coordinator. */
async function startJobs(
  { pool, coordinator }: Parts,
  storage: Storage<QueuedJob>,
  config: Config,
  log: Log,
): Promise<Jobs> {
  const { payloadLifetimeMs, resultLifetimeMs, deadlineMs, concurrency } = config;
  const options = {
    coordinator,
    pool,
    storage,
    concurrency,
    resultLifetimeMs,
    deadlineMs,
    stopGraceMs: 0,
    log,
    metrics: new Metrics(),
  };
  await createJobConsumer(options).start();
  atEndOfFile(() => storage.close());
  return new AcceptedJobs({ pool, storage, payloadLifetimeMs, resultLifetimeMs });
}

function printed(part: unknown): string {
  if (part instanceof Error) return `${part.stack} ${printed(part.cause)}`;
  return JSON.stringify(part, (_, value) => (value instanceof Error ? printed(value) : value)) ?? '';
}
