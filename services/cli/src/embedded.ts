import { join } from 'node:path';
import { Answerer } from '@preflight/api';
import { Coordinator } from '@preflight/coordinator';
import { createPool } from '@preflight/pool';
import type { Config, Log } from '@preflight/runtime';
import { MemoryPayloadStore, openCountCache } from '@preflight/storage';
import type { Backend } from './backend.js';

/** Everything in this process: threads, count cache, coordinator. No service beside it is needed. */
export interface Embedded extends Backend {
  /** What the HTTP calls answer, without HTTP. */
  readonly answerer: Answerer;
}

export async function startEmbedded(config: Config, log: Log): Promise<Embedded> {
  const pool = createPool({ threads: config.threads, engine: config.engine });
  const cache = await openCountCache({
    ...(config.dataDir === undefined ? {} : { directory: join(config.dataDir, 'counts') }),
    memoryBytes: config.cacheMemoryBytes,
    onWarning: (warning) => log.warn({ warning }, 'counts are remembered in memory only'),
  });
  const payloads = new MemoryPayloadStore({ maxBytes: config.blobMemoryBytes });
  const coordinator = new Coordinator({ pool, cache, payloads });
  const { maxMessages, defaultContextWindowTokens } = config;
  return {
    work: coordinator,
    payloads,
    ready: async () => undefined,
    answerer: new Answerer({ work: coordinator, log, maxMessages, defaultContextWindowTokens }),
    async close() {
      await pool.close();
      await Promise.all([cache.close(), payloads.close()]);
    },
  };
}
