import { ERROR_CATALOG, PreflightError, toFault } from '@preflight/core';
import type { Pool } from '@preflight/pool';
import type { Log } from '@preflight/runtime';
import type { Consumer, Job, JobContext, Storage } from '@preflight/storage';
import type { Coordinator } from '../coordinator.js';
import { StoredTexts } from '../stored-text.js';
import { encodeResult } from './job-result.js';
import type { QueuedJob } from './queued-job.js';
import { readSkeleton } from './skeleton.js';

export interface JobConsumerOptions {
  readonly coordinator: Coordinator;
  /** Rewrites what it is given as bytes. */
  readonly pool: Pool;
  readonly storage: Pick<Storage<QueuedJob>, 'jobs' | 'payloads' | 'results'>;
  /** Jobs at a time. */
  readonly concurrency: number;
  /** How long a result is kept. */
  readonly resultLifetimeMs: number;
  /** No caller waits longer than this, so that a job whose API is gone is given up. */
  readonly deadlineMs: number;
  /** How long running jobs have to end when the consumer stops; then others do them. */
  readonly stopGraceMs: number;
  readonly log: Log;
}

/** Progress is told of jobs from this size on; of others it would cost more than the work. */
const PROGRESS_BYTES = 1024 * 1024;

/**
 * Does the jobs of the queue, not yet started. Repeating a job is harmless: its result is written once. A request that
 * cannot fit has a result like any other; only faults fail a job, and of those only what may pass is tried again.
 */
export function createJobConsumer(options: JobConsumerOptions): Consumer {
  const { storage, concurrency, stopGraceMs, log } = options;
  const perform = async (job: Job<QueuedJob>, context: JobContext) => {
    const startMs = performance.now();
    const { id: jobId, data, attempt } = job;
    try {
      await performJob(job, context, options);
      log.debug(
        { jobId, kind: data.kind, sizes: data.sizes, runMs: performance.now() - startMs },
        'job done',
      );
    } catch (error) {
      const { code, internalDetail } = toFault(error);
      log[ERROR_CATALOG[code].logLevel]({ jobId, attempt, code, internal: internalDetail }, 'job not done');
      throw error;
    }
  };
  return storage.jobs.consume(perform, { concurrency, stopGraceMs });
}

async function performJob(
  { id, data }: Job<QueuedJob>,
  { signal, progress }: JobContext,
  { coordinator, pool, storage, resultLifetimeMs, deadlineMs }: JobConsumerOptions,
): Promise<void> {
  const bytes = await storage.payloads.get(data.skeleton);
  if (bytes === undefined)
    throw new PreflightError('storage_unavailable', { internalDetail: `skeleton ${data.skeleton} is gone` });
  const prepared = await readSkeleton(bytes, new StoredTexts({ pool, payloads: storage.payloads }));
  if (bytes.length + data.sizes.storedBytes >= PROGRESS_BYTES)
    progress({ stage: 'counting', texts: prepared.texts.length });
  const wanted = wantedWithin(deadlineMs, signal);
  try {
    const outcome = await coordinator.perform(prepared, wanted.signal);
    await storage.results.putOnce(id, encodeResult(outcome), resultLifetimeMs);
  } finally {
    wanted.end();
  }
}

/** A signal that is aborted with the given one, and when nobody can be waiting any more. */
function wantedWithin(deadlineMs: number, signal: AbortSignal): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  const timer = setTimeout(() => controller.abort(new PreflightError('request_cancelled')), deadlineMs);
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, end };
}
