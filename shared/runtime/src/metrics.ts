import type { Decision, ErrorCode } from '@preflight/core';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Where jobs of the queue are just now. */
export interface QueueFigures {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

/** What the threads of this process do. */
export interface PoolFigures {
  readonly threads: number;
  readonly runningTasks: number;
  readonly waitingTasks: number;
  /** Bytes that were given to threads to be counted, since the process began. */
  readonly countedBytes: number;
}

export interface MetricsSources {
  readonly queue?: () => Promise<QueueFigures>;
  readonly pool?: () => PoolFigures;
}

/** From what Redis answers in to what a deadline allows. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** A conversation of a few words, and the largest context windows there are. */
const TOKENS = [
  256, 1024, 4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144, 524_288, 1_048_576, 4_194_304,
];

/**
 * What one process has done, in Prometheus' text format. Labels are names of ours, of which there are few: nothing that
 * a caller chose, and no content. Sums over processes are for whoever collects them.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #sources: MetricsSources;

  readonly #requests = this.#histogram(
    'preflight_http_request_duration_seconds',
    'From the head of a request to the end of its answer.',
    { labelNames: ['route', 'status'], buckets: SECONDS },
  );
  readonly #receivedBytes = this.#counter(
    'preflight_received_bytes_total',
    'Bodies of requests, and uploaded attachments.',
  );
  readonly #failures = this.#counter(
    'preflight_failures_total',
    'Refused requests and failed jobs, by the code of the error (docs/errors.md).',
    ['code'],
  );
  readonly #tokens = this.#histogram(
    'preflight_conversation_tokens',
    'Prompt tokens of conversations, before and after they were made to fit.',
    { labelNames: ['when'], buckets: TOKENS },
  );
  readonly #lookups = this.#counter(
    'preflight_count_cache_lookups_total',
    'Counts that this process asked its cache for, by whether they were known (hit) or not (miss).',
    ['result'],
  );
  readonly #jobWait = this.#histogram(
    'preflight_job_wait_seconds',
    'From when a job came into the queue to when it was begun here; of another attempt, those before included.',
    { buckets: SECONDS },
  );
  readonly #jobRun = this.#histogram(
    'preflight_job_run_seconds',
    'From when a job was begun here to its end, or its next attempt.',
    { buckets: SECONDS },
  );

  constructor(sources: MetricsSources = {}) {
    this.#sources = sources;
    collectDefaultMetrics({ register: this.#registry });
    this.#addGauges();
  }

  /** A request that was answered, or whose caller left (status 499). `route` as it was registered. */
  requestEnded(route: string, status: number, seconds: number): void {
    this.#requests.observe({ route, status }, seconds);
  }

  received(bytes: number): void {
    this.#receivedBytes.inc(bytes);
  }

  /** Adds the memory of requests at one time, against its limit. At most once. */
  watchHeldBytes(held: { readonly heldBytes: number; readonly limitBytes: number }): void {
    new Gauge({
      name: 'preflight_held_bytes',
      help: 'Memory that requests of this process hold now, and what they may hold at most before others are refused (`overloaded`).',
      labelNames: ['what'],
      registers: [this.#registry],
      collect() {
        this.set({ what: 'held' }, held.heldBytes);
        this.set({ what: 'limit' }, held.limitBytes);
      },
    });
  }

  failed(code: ErrorCode): void {
    this.#failures.inc({ code });
  }

  /** What one conversation came to, a refusal included. */
  decided(decision: Decision): void {
    const isRefused = decision.outcome === 'refused';
    if (isRefused) this.failed(decision.code);
    const { before, after } = isRefused
      ? { before: decision.figures.historyTokensBefore, after: decision.figures.historyTokensAfter }
      : decision.tokens;
    this.#tokens.observe({ when: 'before' }, before);
    this.#tokens.observe({ when: 'after' }, after);
  }

  lookedUp({ hits, misses }: { readonly hits: number; readonly misses: number }): void {
    this.#lookups.inc({ result: 'hit' }, hits);
    this.#lookups.inc({ result: 'miss' }, misses);
  }

  jobEnded({ waitMs, runMs }: { readonly waitMs: number; readonly runMs: number }): void {
    this.#jobWait.observe(waitMs / 1000);
    this.#jobRun.observe(runMs / 1000);
  }

  readonly contentType = this.#registry.contentType;

  /** All figures now. What cannot be asked for, because its store is away, is left out. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #addGauges(): void {
    const { queue, pool } = this.#sources;
    if (queue)
      new Gauge({
        name: 'preflight_queue_jobs',
        help: 'Jobs of the whole queue, by where they are; failed ones, and over Redis those cancelled while they ran, as long as they are remembered.',
        labelNames: ['state'],
        registers: [this.#registry],
        async collect() {
          this.reset();
          const figures = await queue().catch(() => undefined);
          for (const [state, jobs] of Object.entries(figures ?? {})) this.set({ state }, jobs);
        },
      });
    if (!pool) return;
    new Gauge({
      name: 'preflight_pool_tasks',
      help: 'Tasks of the threads of this process, running and waiting for a thread.',
      labelNames: ['state'],
      registers: [this.#registry],
      collect() {
        const { runningTasks, waitingTasks } = pool();
        this.set({ state: 'running' }, runningTasks);
        this.set({ state: 'waiting' }, waitingTasks);
      },
    });
    new Gauge({
      name: 'preflight_pool_threads',
      help: 'Threads of this process; as many tasks run at a time.',
      registers: [this.#registry],
      collect() {
        this.set(pool().threads);
      },
    });
    new Counter({
      name: 'preflight_encoded_bytes_total',
      help: 'Bytes of texts that were counted by the threads of this process, since they were not known.',
      registers: [this.#registry],
      collect() {
        this.reset();
        this.inc(pool().countedBytes);
      },
    });
  }

  #counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #histogram(
    name: string,
    help: string,
    options: { readonly labelNames?: string[]; readonly buckets: number[] },
  ): Histogram {
    return new Histogram({ name, help, ...options, registers: [this.#registry] });
  }
}
