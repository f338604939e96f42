import { deadlineExceeded, ERROR_CATALOG, PreflightError, toFault } from '@preflight/core';
import type { Pool } from '@preflight/pool';
import type { Log, Metrics } from '@preflight/runtime';
import type { Consumer, Job, JobContext, JobId, Storage } from '@preflight/storage';
import type { Coordinator } from '../coordinator.js';
import { StoredTexts } from '../texts/stored-text.js';
import { encodeEnd, type JobEnd } from './job-end.js';
import type { QueuedJob } from './queued-job.js';
import { settleJob } from './settle-job.js';
import { readSkeleton } from './skeleton.js';

export interface JobConsumerOptions {
  readonly coordinator: Coordinator;
  /** Rewrites what it is given as bytes. */
  readonly pool: Pool;
  readonly storage: Pick<Storage<QueuedJob>, 'jobs' | 'payloads' | 'results' | 'claims'>;
  /** Jobs at a time. */
  readonly concurrency: number;
  /** How long it can be asked what a job came to. */
  readonly resultLifetimeMs: number;
  /** Longest time for one job; no caller waits longer than this, so that a job whose API is gone is given up. */
  readonly deadlineMs: number;
  /** How long running jobs have to end when the consumer stops; then others do them. */
  readonly stopGraceMs: number;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** How long the result of a job is kept whose caller waits for it: long enough to bridge a moment without Redis. */
const AWAITED_RESULT_LIFETIME_MS = 60_000;

/** Progress is told of jobs from this size on; of others it would cost more than the work. */
const PROGRESS_BYTES = 1024 * 1024;

/**
 * Does the jobs of the queue, not yet started. Repeating a job is harmless: its result is written once. A request that
 * cannot fit has a result like any other; only faults fail a job, and of those only what may pass is tried again.
 */
export function createJobConsumer(options: JobConsumerOptions): Consumer {
  const { storage, concurrency, stopGraceMs, log, metrics } = options;
  const perform = async (job: Job<QueuedJob>, context: JobContext) => {
    const startMs = performance.now();
    const { id: jobId, data, attempt, waitedMs } = job;
    try {
      await performJob(job, context, options);
      log.debug(
        { jobId, kind: data.kind, sizes: data.sizes, runMs: performance.now() - startMs },
        'job done',
      );
    } catch (error) {
      const { code, internalDetail } = toFault(error);
      log[ERROR_CATALOG[code].logLevel]({ jobId, attempt, code, internal: internalDetail }, 'job not done');
      metrics.failed(code);
      throw error;
    } finally {
      metrics.jobEnded({ waitMs: waitedMs, runMs: performance.now() - startMs });
    }
  };
  return storage.jobs.consume(perform, { concurrency, stopGraceMs });
}

async function performJob(
  { id, data }: Job<QueuedJob>,
  { signal, progress }: JobContext,
  { coordinator, pool, storage, resultLifetimeMs, deadlineMs, metrics }: JobConsumerOptions,
): Promise<void> {
  const wanted = wantedWithin(deadlineMs, signal);
  const settle = async (end: JobEnd) => {
    if (data.body) await settleJob(storage, id, end, resultLifetimeMs);
    // Its caller waits for it, and lets go of what it needed.
    else
      await storage.results.putOnce(
        id,
        encodeEnd(end),
        Math.min(resultLifetimeMs, AWAITED_RESULT_LIFETIME_MS),
        data.answerTo,
      );
  };
  try {
    const bytes = await storage.payloads.getOwn(id);
    if (bytes === undefined) return await endWithoutRequest(id, storage);
    const prepared = await readSkeleton(bytes, new StoredTexts({ pool, payloads: storage.payloads }));
    if (bytes.length + data.sizes.storedBytes >= PROGRESS_BYTES)
      progress({ stage: 'counting', texts: prepared.texts.length });
    const outcome = await coordinator.perform(prepared, wanted.signal);
    await settle({ kind: data.kind, ...(data.body && { body: data.body }), outcome });
    // Of a request whose caller waits, the process that answers it tells.
    if (data.body && outcome.fit) metrics.decided(outcome.fit.decision);
  } catch (error) {
    const fault = toFault(error);
    // Time that is up is an end like any other: to try again would take the same time again.
    if (fault.code === 'deadline_exceeded') {
      metrics.failed(fault.code);
      return await settle({ fault });
    }
    // Who waited for a job that was cancelled has left.
    const isToldOf = data.body !== undefined || fault.code !== 'request_cancelled';
    if (isToldOf && ERROR_CATALOG[fault.code].retry === 'never') await settle({ fault });
    throw error;
  } finally {
    wanted.end();
  }
}

/** Somebody else has done it, and let go of it; or it has waited for longer than its texts are kept. */
async function endWithoutRequest(id: JobId, { results }: JobConsumerOptions['storage']): Promise<void> {
  if (await results.get(id)) return;
  throw new PreflightError('deadline_exceeded', { internalDetail: 'its texts have expired, or were lost' });
}

/** A signal that is aborted with the given one, and when the time is up. */
function wantedWithin(deadlineMs: number, signal: AbortSignal): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  const timer = setTimeout(() => controller.abort(deadlineExceeded(deadlineMs)), deadlineMs);
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, end };
}
