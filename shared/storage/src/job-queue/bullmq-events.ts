import type { QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import { BlockingConnections, isReadyWithin } from '../redis/connect-redis.js';
import { BULLMQ_NAMES } from './bullmq-names.js';
import { endsWithin } from './ends-within.js';
import type { JobId } from './job-queue.js';

/** What happened to which job. All of them come; most concern nobody here. */
export interface BullMqEventListener {
  /** With the reason of a failure, as it stands in the job; undefined if the job was completed. */
  onFinal(id: JobId, failedReason: string | undefined): void;
  onRemoved(id: JobId): void;
  onChange(id: JobId): void;
}

const RESTART_PAUSE_MS = 1_000;

/**
 * Reads BullMQ's events of all jobs, by one connection of its own, from now until it is closed.
 *
 * QueueEvents stays broken if Redis is away while it starts; so it is started only when another connection is ready,
 * and started again when it fails. It reads the stream from its beginning, since `from now on` would lose what happens
 * between two reads; old events do no harm.
 */
export class BullMqEvents {
  readonly #redis: Redis;
  readonly #redisUrl: string;
  readonly #listener: BullMqEventListener;
  #events: QueueEvents | undefined;
  #connections: BlockingConnections | undefined;
  #isStarted = false;
  #isClosed = false;

  constructor(parts: {
    readonly redis: Redis;
    readonly redisUrl: string;
    readonly listener: BullMqEventListener;
  }) {
    this.#redis = parts.redis;
    this.#redisUrl = parts.redisUrl;
    this.#listener = parts.listener;
  }

  /** Starts reading, if it has not. Returns at once. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    void this.#keepReading();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#events) await endsWithin(this.#events.close(), 500);
    this.#connections?.disconnect();
  }

  async #keepReading(): Promise<void> {
    while (!this.#isClosed) {
      if (!(await isReadyWithin(this.#redis, RESTART_PAUSE_MS))) continue;
      await this.#read().catch(() => {});
      this.#connections?.disconnect();
      if (!this.#isClosed) await new Promise((resolve) => setTimeout(resolve, RESTART_PAUSE_MS).unref());
    }
  }

  /** Returns when closed, throws when it cannot begin. */
  async #read(): Promise<void> {
    const { QueueEvents } = await import('bullmq');
    this.#connections = await BlockingConnections.open(this.#redisUrl, { connects: false });
    if (this.#isClosed) return;
    const events = new QueueEvents(BULLMQ_NAMES.queue, {
      connection: this.#connections.template,
      prefix: BULLMQ_NAMES.prefix,
      autorun: false,
      lastEventId: '0-0',
    });
    this.#events = events;
    events.on('error', () => {});
    const { onFinal, onRemoved, onChange } = this.#listener;
    events.on('completed', ({ jobId }) => onFinal(jobId, undefined));
    events.on('failed', ({ jobId, failedReason }) => onFinal(jobId, failedReason));
    events.on('removed', ({ jobId }) => onRemoved(jobId));
    for (const name of ['waiting', 'active', 'delayed', 'progress'] as const) {
      events.on(name, ({ jobId }: { readonly jobId: string }) => onChange(jobId));
    }
    await events.run();
  }
}
