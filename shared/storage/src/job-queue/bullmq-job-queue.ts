import { randomUUID } from 'node:crypto';
import { type Fault, PreflightError } from '@preflight/core';
import type { Job as BullMqJob, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { disconnectRedis, isReadyWithin } from '../redis/connect-redis.js';
import { storageKeys } from '../redis/keys.js';
import { orStorageError } from '../redis/storage-error.js';
import { BullMqConsumer } from './bullmq-consumer.js';
import { BullMqEvents } from './bullmq-events.js';
import { BULLMQ_NAMES, type BullMqTiming, DEFAULT_BULLMQ_TIMING, MAX_EVENTS } from './bullmq-names.js';
import { CancelMarks } from './cancel-marks.js';
import { endsWithin } from './ends-within.js';
import { FinalWaiters } from './final-waiters.js';
import { endedBy, faultOf } from './job-failure.js';
import { assertDataFits, assertJobId, DEFAULT_JOB_LIMITS, type JobLimits } from './job-limits.js';
import {
  type CancelOutcome,
  type ConsumeOptions,
  type Consumer,
  type FinalJobState,
  isFinal,
  type JobHandler,
  type JobId,
  type JobQueue,
  type JobQueueFigures,
  type JobState,
  type NewJob,
  UNKNOWN_GRACE_MS,
} from './job-queue.js';
import { StateFeed } from './state-feed.js';

export interface BullMqJobQueueOptions {
  /** For short commands; closed with the queue. Jobs are added in the order of what else is sent by it. */
  readonly redis: Redis;
  /** Of the same Redis: consumers, and those who listen, have connections of their own. */
  readonly redisUrl: string;
  readonly limits?: Partial<JobLimits> | undefined;
  readonly timing?: Partial<BullMqTiming> | undefined;
  /** Told what consumers cannot tell anybody else, such as a lost lock. For the operator. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** When a waiter looks for itself, in case an event was lost; the last goes on. Most are told before the first. */
const CHECK_PAUSES_MS = [1_000, 2_000] as const;

const COUNT_WAITING_EVERY_MS = 250;

/** Jobs on a Redis that does not evict, for any number of hosts, by BullMQ. */
export class BullMqJobQueue<Data extends object = object> implements JobQueue<Data> {
  readonly #redis: Redis;
  readonly #redisUrl: string;
  readonly #queue: Queue<object, null, string>;
  readonly #limits: JobLimits;
  readonly #timing: BullMqTiming;
  readonly #onError: (error: unknown) => void;
  readonly #marks: CancelMarks;
  readonly #events: BullMqEvents;
  readonly #feed: StateFeed;
  readonly #waiters = new FinalWaiters();
  readonly #consumers = new Set<Consumer>();
  #waitingCount = { count: 0, readMs: 0 };

  private constructor(queue: Queue<object, null, string>, options: BullMqJobQueueOptions) {
    const { redis } = options;
    this.#redis = redis;
    this.#redisUrl = options.redisUrl;
    this.#queue = queue;
    this.#limits = { ...DEFAULT_JOB_LIMITS, ...options.limits };
    this.#timing = { ...DEFAULT_BULLMQ_TIMING, ...options.timing };
    this.#onError = options.onError ?? (() => {});
    this.#marks = new CancelMarks(redis, this.#limits.rememberMs);
    this.#feed = new StateFeed((id) => this.state(id));
    this.#events = new BullMqEvents({
      redis,
      redisUrl: options.redisUrl,
      listener: {
        onFinal: (id, failedReason) => this.#onFinal(id, failedReason),
        onRemoved: (id) => this.#onRemoved(id),
        onChange: (id) => this.#feed.refresh(id),
      },
    });
  }

  /** Loads bullmq. Resolves without waiting for Redis: until it is there, calls fail. */
  static async open<Data extends object = object>(
    options: BullMqJobQueueOptions,
  ): Promise<BullMqJobQueue<Data>> {
    const { Queue } = await import('bullmq');
    const { redis } = options;
    const queue = new Queue<object, null, string>(BULLMQ_NAMES.queue, {
      connection: redis,
      prefix: BULLMQ_NAMES.prefix,
      // If Redis is away in this moment, checking its version would leave the queue broken for good.
      skipVersionCheck: true,
      skipWaitingForReady: true,
      skipMetasUpdate: true,
    });
    queue.on('error', () => {});
    // BullMQ writes the bound of its events once, and does not notice if that fails or Redis lost it.
    const boundEvents = () => {
      redis.hset(queue.toKey('meta'), 'opts.maxLenEvents', MAX_EVENTS).catch(() => {});
    };
    redis.on('ready', boundEvents);
    if (redis.status === 'ready') boundEvents();
    return new BullMqJobQueue(queue, options);
  }

  /** Waits until Redis is there, at most so long; false if it is not. */
  ready(timeoutMs: number): Promise<boolean> {
    return isReadyWithin(this.#redis, timeoutMs);
  }

  async add(job: NewJob<Data>): Promise<'added' | 'known'> {
    const { id, data, priority = 0, isNew = false, forgetWhenCompleted = false } = job;
    assertJobId(id);
    assertDataFits(JSON.stringify(data), this.#limits);
    return orStorageError(async () => {
      const key = this.#queue.toKey(id);
      if (!isNew && (await this.#redis.exists(key, storageKeys.cancelled(id))) > 0) return 'known';
      await this.#refuseIfFull();
      // Of several that add the same id at a time, the one whose name the job has was first.
      const name = randomUUID();
      const { maxAttempts, retryPauseMs, maxDataBytes } = this.#limits;
      await this.#queue.add(name, data, {
        jobId: id,
        priority,
        attempts: maxAttempts,
        backoff: { type: 'exponential', delay: retryPauseMs, jitter: 0.5 },
        sizeLimit: maxDataBytes,
        // Else as consumers say.
        ...(forgetWhenCompleted && { removeOnComplete: true }),
      });
      if (isNew) return 'added';
      const first = await this.#redis.hget(key, 'name');
      return first === null || first === name ? 'added' : 'known';
    });
  }

  state(id: JobId): Promise<JobState | undefined> {
    return orStorageError(async () => {
      const [job, isLocked, isCancelled] = await Promise.all([
        this.#queue.getJob(id),
        this.#redis.exists(`${this.#queue.toKey(id)}:lock`),
        this.#marks.has(id),
      ]);
      if (!job) return isCancelled ? { status: 'cancelled' } : undefined;
      return this.#stateOf(job, isLocked === 1);
    });
  }

  async waitUntilFinal(id: JobId, signal: AbortSignal): Promise<FinalJobState | undefined> {
    this.#events.start();
    const final = this.#waiters.wait(id, signal);
    void this.#lookNowAndThen(id);
    return final;
  }

  cancel(id: JobId): Promise<CancelOutcome> {
    return orStorageError(async () => {
      const job = await this.#queue.getJob(id);
      if (!job) return (await this.#marks.has(id)) ? 'final' : 'unknown';
      if (job.finishedOn) return 'final';
      await this.#marks.set(id);
      // Refused while somebody has the lock: then whoever has it sees the mark.
      return (await this.#queue.remove(id)) === 1 ? 'cancelled' : 'requested';
    });
  }

  subscribe(id: JobId, listener: (state: JobState) => void): () => void {
    this.#events.start();
    return this.#feed.subscribe(id, listener);
  }

  consume(handler: JobHandler<Data>, options: ConsumeOptions): Consumer {
    const consumer = new BullMqConsumer<Data>({
      redisUrl: this.#redisUrl,
      redis: this.#redis,
      marks: this.#marks,
      handler,
      options,
      limits: this.#limits,
      timing: this.#timing,
      onError: this.#onError,
    });
    this.#consumers.add(consumer);
    return consumer;
  }

  figures(): Promise<JobQueueFigures> {
    return orStorageError(async () => {
      const counts = await this.#queue.getJobCounts('wait', 'prioritized', 'active', 'delayed', 'failed');
      const { wait = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = counts;
      return { waiting: wait + prioritized, active, delayed, failed };
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.stop()));
    this.#feed.close();
    await this.#events.close();
    this.#waiters.settleAll(undefined);
    await endsWithin(this.#queue.close(), 500);
    await disconnectRedis(this.#redis);
  }

  async #refuseIfFull(): Promise<void> {
    const { maxWaiting } = this.#limits;
    if (Date.now() - this.#waitingCount.readMs >= COUNT_WAITING_EVERY_MS) {
      this.#waitingCount.readMs = Date.now();
      const {
        wait = 0,
        prioritized = 0,
        delayed = 0,
      } = await this.#queue.getJobCounts('wait', 'prioritized', 'delayed');
      this.#waitingCount.count = wait + prioritized + delayed;
    }
    if (this.#waitingCount.count >= maxWaiting)
      throw new PreflightError('overloaded', { params: { maxWaiting } });
  }

  async #stateOf(job: BullMqJob<object, null>, isLocked: boolean): Promise<JobState> {
    if (job.finishedOn) {
      // A job that was completed still has the reason of an earlier attempt.
      const isFailed = job.failedReason !== undefined && (await job.isFailed());
      return isFailed ? endedBy(faultIn(job.failedReason)) : { status: 'completed' };
    }
    const attempt = job.attemptsMade + 1;
    if (!isLocked) return { status: 'waiting', attempt };
    const { progress } = job;
    return { status: 'active', attempt, ...(isProgress(progress) ? { progress } : {}) };
  }

  async #lookNowAndThen(id: JobId): Promise<void> {
    const beganMs = Date.now();
    for (let round = 0; ; round += 1) {
      const pauseMs = CHECK_PAUSES_MS[Math.min(round, CHECK_PAUSES_MS.length - 1)];
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
      if (!this.#waiters.isAwaited(id)) return;
      const isKnown = await this.#look(id);
      if (!isKnown && Date.now() - beganMs > UNKNOWN_GRACE_MS) this.#waiters.settle(id, undefined);
    }
  }

  /** Tells waiters if the job has ended. False if it is unknown; while Redis is away, it is taken to be known. */
  async #look(id: JobId): Promise<boolean> {
    const state = await this.state(id).catch(() => 'unavailable' as const);
    if (state === undefined) return false;
    if (state !== 'unavailable' && isFinal(state)) this.#waiters.settle(id, state);
    return true;
  }

  #onFinal(id: JobId, failedReason: string | undefined): void {
    if (this.#waiters.isAwaited(id)) {
      this.#waiters.settle(
        id,
        failedReason === undefined ? { status: 'completed' } : endedBy(faultIn(failedReason)),
      );
    }
    this.#feed.refresh(id);
  }

  /** So goes a job that was cancelled while it waited. */
  #onRemoved(id: JobId): void {
    if (this.#waiters.isAwaited(id)) void this.#look(id);
    this.#feed.refresh(id);
  }
}

/** The fault in the reason that BullMQ keeps. Reasons of BullMQ's own are plain text. */
function faultIn(failedReason: string): Fault {
  try {
    const fault = JSON.parse(failedReason) as Fault;
    if (typeof fault.code === 'string') return fault;
  } catch {
    // Not ours.
  }
  return faultOf(new PreflightError('internal_error', { internalDetail: failedReason }));
}

function isProgress(progress: unknown): progress is Readonly<Record<string, number | string>> {
  return typeof progress === 'object' && progress !== null;
}
