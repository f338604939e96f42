import { PreflightError } from '@preflight/core';
import type { Job as BullMqJob, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { BlockingConnections } from '../redis/connect-redis.js';
import { toStorageError } from '../redis/storage-error.js';
import { BULLMQ_NAMES, type BullMqTiming } from './bullmq-names.js';
import type { CancelMarks } from './cancel-marks.js';
import { endsWithin } from './ends-within.js';
import { abortReasons, faultOf, mayPass } from './job-failure.js';
import type { JobLimits } from './job-limits.js';
import {
  ABORT_GRACE_MS,
  type ConsumeOptions,
  type Consumer,
  DEFAULT_STOP_GRACE_MS,
  type JobHandler,
  type JobId,
} from './job-queue.js';
import { LatestProgress } from './latest-progress.js';
import { PoisonWatch } from './poison-watch.js';
import { RunningJobs } from './running-jobs.js';

/** How soon a running job learns that it was cancelled. One command for all of them. */
const CANCEL_CHECK_MS = 250;

/** How long nothing is fetched after Redis refused that. */
const REST_MS = 500;

export interface BullMqConsumerParts<Data> {
  readonly redisUrl: string;
  /** For short commands; BullMQ's worker has connections of its own. */
  readonly redis: Redis;
  readonly marks: CancelMarks;
  readonly handler: JobHandler<Data>;
  readonly options: ConsumeOptions;
  readonly limits: JobLimits;
  readonly timing: BullMqTiming;
  readonly onError: (error: unknown) => void;
}

/** The part of BullMQ's worker that a close closes behind its wait for jobs, and its types keep for subclasses. */
interface LockRenewing {
  readonly lockManager: { close(): Promise<void> };
}

/** Takes jobs from Redis and runs them. Redis may be away at any time, also at the start. */
export class BullMqConsumer<Data extends object> implements Consumer {
  readonly #parts: BullMqConsumerParts<Data>;
  readonly #poison: PoisonWatch;
  readonly #running = new RunningJobs();
  #started: Promise<Started> | undefined;

  constructor(parts: BullMqConsumerParts<Data>) {
    this.#parts = parts;
    this.#poison = new PoisonWatch(parts.redis, parts.timing.maxKills);
  }

  async start(): Promise<void> {
    this.#started ??= this.#open();
    await this.#started;
  }

  async stop(): Promise<void> {
    const opening = this.#started;
    this.#started = undefined;
    if (!opening) return;
    const { worker, connections, cancelChecks } = await opening;
    await worker.pause(true);
    if (!(await this.#running.endWithin(this.#parts.options.stopGraceMs ?? DEFAULT_STOP_GRACE_MS))) {
      this.#running.abortAll(abortReasons.stopping());
      await this.#running.endWithin(ABORT_GRACE_MS);
    }
    clearInterval(cancelChecks);
    // Without Redis, closing never ends unless forced, and its timers keep the process (taskforcesh/bullmq#4656).
    const isForced = this.#running.count > 0 || connections.template.status !== 'ready';
    const isClosed = await endsWithin(worker.close(isForced), ABORT_GRACE_MS);
    // Redis may have gone away without its connections knowing yet: what renews locks would go on for ever.
    if (!isClosed) await (worker as unknown as LockRenewing).lockManager.close();
    connections.disconnect();
  }

  async #open(): Promise<Started> {
    const { redisUrl, options, limits, timing, onError } = this.#parts;
    const { Worker } = await import('bullmq');
    const connections = await BlockingConnections.open(redisUrl);
    const remembered = { age: Math.ceil(limits.rememberMs / 1_000), count: limits.rememberCount };
    const worker = new Worker<Data, null>(BULLMQ_NAMES.queue, (job, token) => this.#process(job, token), {
      connection: connections.template,
      prefix: BULLMQ_NAMES.prefix,
      concurrency: options.concurrency,
      autorun: false,
      lockDuration: timing.lockMs,
      stalledInterval: timing.stalledCheckMs,
      // Who kills is found out by PoisonWatch; BullMQ would give up innocent jobs when hosts are killed.
      maxStalledCount: 1_000_000,
      removeOnComplete: remembered,
      removeOnFail: remembered,
      // Pause before an end that could not be written, or a fetch that failed, is tried again. Default 15 s.
      runRetryDelay: 1_000,
      drainDelay: 5,
    });
    worker.on('error', (error) => this.#onWorkerError(worker, error));
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) this.#running.abort(id, abortReasons.lockLost());
    });
    worker.run().catch(onError);
    const cancelChecks = setInterval(() => void this.#abortCancelled(), CANCEL_CHECK_MS);
    return { worker, connections, cancelChecks };
  }

  /** While Redis is full or read-only, BullMQ would ask for jobs 4,000 times a second and hear no each time. */
  #onWorkerError(worker: Worker<Data, null>, error: Error): void {
    this.#parts.onError(error);
    if (toStorageError(error) instanceof PreflightError && !worker.isPaused()) void this.#rest(worker);
  }

  async #rest(worker: Worker<Data, null>): Promise<void> {
    await worker.pause(true);
    await new Promise((resolve) => setTimeout(resolve, REST_MS).unref());
    if (this.#started !== undefined) await worker.resume();
  }

  /** Runs one job and tells BullMQ how it ended. Nothing of the result goes to Redis by this way. */
  #process(job: BullMqJob<Data, null>, token: string | undefined): Promise<null> {
    const id = job.id as JobId;
    return this.#running.run(id, async (signal) => {
      try {
        // It was on its way here when the consumer was told to stop.
        if (this.#started === undefined) throw abortReasons.stopping();
        // A first attempt cannot have been cancelled while it ran.
        if (job.attemptsStarted > 1 && (await this.#parts.marks.has(id))) throw abortReasons.cancelled();
        await this.#poison.guard({ id, losses: job.stalledCounter }, () => this.#run(job, signal));
        return null;
      } catch (error) {
        throw await this.#failureFor(job, token, signal.aborted ? signal.reason : error);
      }
    });
  }

  async #run(job: BullMqJob<Data, null>, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const progress = new LatestProgress((latest) => job.updateProgress(latest));
    const { id, data, attemptsMade, timestamp } = job;
    const waitedMs = Math.max(0, Date.now() - timestamp);
    await this.#parts.handler(
      { id: id as JobId, data, attempt: attemptsMade + 1, waitedMs },
      { signal, progress: (latest) => progress.tell(latest) },
    );
    await progress.told();
  }

  /** What to throw at BullMQ, so that it does with the job what the fault asks for. */
  async #failureFor(job: BullMqJob<Data, null>, token: string | undefined, error: unknown): Promise<Error> {
    const { UnrecoverableError, WaitingError } = await import('bullmq');
    const isStopping = this.#started === undefined;
    if (isStopping && token && error instanceof PreflightError && error.code === 'shutting_down') {
      await job.moveToWait(token);
      return new WaitingError();
    }
    const fault = faultOf(error);
    const failure = mayPass(fault)
      ? new Error(JSON.stringify(fault))
      : new UnrecoverableError(JSON.stringify(fault));
    // BullMQ would keep it with the job; the fault has what is worth keeping.
    failure.stack = '';
    return failure;
  }

  async #abortCancelled(): Promise<void> {
    const ids = this.#running.ids();
    if (ids.length === 0) return;
    const cancelled = await this.#parts.marks.among(ids).catch(() => []);
    for (const id of cancelled) this.#running.abort(id, abortReasons.cancelled());
  }
}

interface Started {
  readonly worker: Worker;
  readonly connections: BlockingConnections;
  readonly cancelChecks: NodeJS.Timeout;
}
