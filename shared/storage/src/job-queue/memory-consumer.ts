import { abortReasons } from './job-failure.js';
import {
  ABORT_GRACE_MS,
  type ConsumeOptions,
  type Consumer,
  DEFAULT_STOP_GRACE_MS,
  type JobHandler,
  type JobProgress,
} from './job-queue.js';
import type { MemoryJob } from './memory-job-queue.js';
import { RunningJobs } from './running-jobs.js';

/** What a consumer needs of its queue. */
export interface MemoryConsumerQueue<Data> {
  take(): MemoryJob<Data> | undefined;
  progress(job: MemoryJob<Data>, progress: JobProgress): void;
  complete(job: MemoryJob<Data>): void;
  fail(job: MemoryJob<Data>, error: unknown): void;
  putBack(job: MemoryJob<Data>): void;
}

/** Takes jobs of a queue in the same process and runs them. */
export class MemoryConsumer<Data extends object> implements Consumer {
  readonly #handler: JobHandler<Data>;
  readonly #options: ConsumeOptions;
  readonly #queue: MemoryConsumerQueue<Data>;
  readonly #running = new RunningJobs();
  #isStarted = false;

  constructor(handler: JobHandler<Data>, options: ConsumeOptions, queue: MemoryConsumerQueue<Data>) {
    this.#handler = handler;
    this.#options = options;
    this.#queue = queue;
  }

  async start(): Promise<void> {
    this.#isStarted = true;
    this.wake();
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    if (await this.#running.endWithin(this.#options.stopGraceMs ?? DEFAULT_STOP_GRACE_MS)) return;
    this.#running.abortAll(abortReasons.stopping());
    await this.#running.endWithin(ABORT_GRACE_MS);
  }

  /** Takes as many jobs as there is room for. */
  wake(): void {
    while (this.#isStarted && this.#running.count < this.#options.concurrency) {
      const job = this.#queue.take();
      if (!job) return;
      void this.#running.run(job.id, (signal) => this.#run(job, signal)).then(() => this.wake());
    }
  }

  cancel(id: string): void {
    this.#running.abort(id, abortReasons.cancelled());
  }

  async #run(job: MemoryJob<Data>, signal: AbortSignal): Promise<void> {
    const { id, data, attempt } = job;
    const waitedMs = performance.now() - job.addedMs;
    try {
      // Never in the turn of the event loop in which the job was added.
      await undefined;
      await this.#handler(
        { id, data, attempt, waitedMs },
        { signal, progress: (step) => this.#queue.progress(job, step) },
      );
      this.#queue.complete(job);
    } catch (error) {
      if (!signal.aborted) this.#queue.fail(job, error);
      else if (signal.reason.code === 'shutting_down') this.#queue.putBack(job);
      else this.#queue.fail(job, signal.reason);
    }
  }
}
