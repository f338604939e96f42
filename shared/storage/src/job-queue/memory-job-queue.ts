import { type Fault, PreflightError } from '@preflight/core';
import { FinalWaiters } from './final-waiters.js';
import { endedBy, faultOf, mayPass, retryPauseMs } from './job-failure.js';
import { assertDataFits, assertJobId, DEFAULT_JOB_LIMITS, type JobLimits } from './job-limits.js';
import {
  type CancelOutcome,
  type ConsumeOptions,
  type Consumer,
  type FinalJobState,
  isFinal,
  type JobHandler,
  type JobId,
  type JobProgress,
  type JobQueue,
  type JobQueueFigures,
  type JobState,
  type NewJob,
  UNKNOWN_GRACE_MS,
} from './job-queue.js';
import { MemoryConsumer } from './memory-consumer.js';
import { PriorityFifo } from './priority-fifo.js';
import { StateListeners } from './state-listeners.js';

/** A job and where it is; the timer runs while it waits for its next attempt. */
export interface MemoryJob<Data> {
  readonly id: JobId;
  readonly data: Data;
  readonly priority: number;
  /** By the clock of the process. */
  readonly addedMs: number;
  readonly forgetWhenCompleted: boolean;
  state: JobState;
  attempt: number;
  retryTimer?: NodeJS.Timeout | undefined;
}

/** Jobs in the memory of this process, for it alone: what is not done when it ends is lost with it. */
export class MemoryJobQueue<Data extends object = object> implements JobQueue<Data> {
  readonly #limits: JobLimits;
  readonly #jobs = new Map<JobId, MemoryJob<Data>>();
  readonly #waiting = new PriorityFifo<MemoryJob<Data>>();
  /** Final jobs, the one that ended first in front. */
  readonly #remembered = new Map<JobId, number>();
  readonly #waiters = new FinalWaiters();
  readonly #listeners = new StateListeners();
  readonly #consumers = new Set<MemoryConsumer<Data>>();
  #delayedCount = 0;

  constructor(limits: Partial<JobLimits> = {}) {
    this.#limits = { ...DEFAULT_JOB_LIMITS, ...limits };
  }

  async add(given: NewJob<Data>): Promise<'added' | 'known'> {
    const { id, data, priority = 0, forgetWhenCompleted = false } = given;
    assertJobId(id);
    const dataJson = JSON.stringify(data);
    assertDataFits(dataJson, this.#limits);
    this.#forgetOld();
    if (this.#jobs.has(id)) return 'known';
    if (this.#waiting.size + this.#delayedCount >= this.#limits.maxWaiting) {
      throw new PreflightError('overloaded', { params: { maxWaiting: this.#limits.maxWaiting } });
    }
    const job: MemoryJob<Data> = {
      id,
      data: JSON.parse(dataJson),
      priority,
      forgetWhenCompleted,
      addedMs: performance.now(),
      attempt: 1,
      state: { status: 'waiting', attempt: 1 },
    };
    this.#jobs.set(id, job);
    this.#enqueue(job);
    return 'added';
  }

  async state(id: JobId): Promise<JobState | undefined> {
    this.#forgetOld();
    return this.#jobs.get(id)?.state;
  }

  async waitUntilFinal(id: JobId, signal: AbortSignal): Promise<FinalJobState | undefined> {
    const state = this.#jobs.get(id)?.state;
    if (state && isFinal(state)) return state;
    const final = this.#waiters.wait(id, signal);
    if (!state) setTimeout(() => this.#giveUpUnknown(id), UNKNOWN_GRACE_MS).unref();
    return final;
  }

  async cancel(id: JobId): Promise<CancelOutcome> {
    const job = this.#jobs.get(id);
    if (!job) return 'unknown';
    if (isFinal(job.state)) return 'final';
    if (job.state.status === 'active') {
      for (const consumer of this.#consumers) consumer.cancel(id);
      return 'requested';
    }
    this.#waiting.remove(job, job.priority);
    this.#endDelay(job);
    this.#end(job, { status: 'cancelled' });
    return 'cancelled';
  }

  subscribe(id: JobId, listener: (state: JobState) => void): () => void {
    const unsubscribe = this.#listeners.add(id, listener);
    const job = this.#jobs.get(id);
    if (job) queueMicrotask(() => listener(job.state));
    return unsubscribe;
  }

  consume(handler: JobHandler<Data>, options: ConsumeOptions): Consumer {
    const consumer = new MemoryConsumer<Data>(handler, options, {
      take: () => this.#take(),
      progress: (job, progress) => this.#progress(job, progress),
      complete: (job) => this.#complete(job),
      fail: (job, error) => this.#fail(job, faultOf(error)),
      putBack: (job) => this.#enqueue(job),
    });
    this.#consumers.add(consumer);
    return consumer;
  }

  async figures(): Promise<JobQueueFigures> {
    this.#forgetOld();
    const jobs = [...this.#jobs.values()];
    return {
      waiting: this.#waiting.size,
      active: jobs.filter(({ state }) => state.status === 'active').length,
      delayed: this.#delayedCount,
      failed: jobs.filter(({ state }) => state.status === 'failed').length,
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.stop()));
    for (const { retryTimer } of this.#jobs.values()) clearTimeout(retryTimer);
    this.#jobs.clear();
    this.#waiters.settleAll(undefined);
  }

  #enqueue(job: MemoryJob<Data>): void {
    this.#setState(job, { status: 'waiting', attempt: job.attempt });
    this.#waiting.add(job, job.priority);
    for (const consumer of this.#consumers) consumer.wake();
  }

  #take(): MemoryJob<Data> | undefined {
    const job = this.#waiting.take();
    if (job) this.#setState(job, { status: 'active', attempt: job.attempt });
    return job;
  }

  #progress(job: MemoryJob<Data>, progress: JobProgress): void {
    if (job.state.status === 'active') this.#setState(job, { ...job.state, progress });
  }

  #complete(job: MemoryJob<Data>): void {
    this.#end(job, { status: 'completed' });
    if (job.forgetWhenCompleted) this.#forget(job.id);
  }

  #fail(job: MemoryJob<Data>, fault: Fault): void {
    if (!mayPass(fault) || job.attempt >= this.#limits.maxAttempts) {
      this.#end(job, endedBy(fault));
      return;
    }
    const pauseMs = retryPauseMs(job.attempt, this.#limits.retryPauseMs);
    job.attempt += 1;
    this.#setState(job, { status: 'waiting', attempt: job.attempt });
    this.#delayedCount += 1;
    job.retryTimer = setTimeout(() => {
      this.#endDelay(job);
      this.#enqueue(job);
    }, pauseMs);
  }

  #endDelay(job: MemoryJob<Data>): void {
    if (!job.retryTimer) return;
    clearTimeout(job.retryTimer);
    job.retryTimer = undefined;
    this.#delayedCount -= 1;
  }

  #end(job: MemoryJob<Data>, state: FinalJobState): void {
    this.#setState(job, state);
    this.#remembered.set(job.id, Date.now());
    this.#waiters.settle(job.id, state);
    this.#forgetOld();
  }

  #setState(job: MemoryJob<Data>, state: JobState): void {
    job.state = state;
    this.#listeners.tell(job.id, state);
  }

  #forgetOld(): void {
    const oldestMs = Date.now() - this.#limits.rememberMs;
    for (const [id, endedMs] of this.#remembered) {
      if (endedMs > oldestMs && this.#remembered.size <= this.#limits.rememberCount) return;
      this.#forget(id);
    }
  }

  #giveUpUnknown(id: JobId): void {
    if (!this.#jobs.has(id)) this.#waiters.settle(id, undefined);
  }

  #forget(id: JobId): void {
    this.#remembered.delete(id);
    this.#jobs.delete(id);
  }
}
