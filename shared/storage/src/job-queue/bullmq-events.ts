import type { Redis } from 'ioredis';
import { BlockingConnections, isReadyWithin } from '../redis/connect-redis.js';
import { BULLMQ_NAMES } from './bullmq-names.js';
import type { JobId } from './job-queue.js';

/** What happened to which job. All of them come; most concern nobody here. */
export interface BullMqEventListener {
  /** With the reason of a failure, as it stands in the job; undefined if the job was completed. */
  onFinal(id: JobId, failedReason: string | undefined): void;
  onRemoved(id: JobId): void;
  onChange(id: JobId): void;
}

const STREAM = `${BULLMQ_NAMES.prefix}:${BULLMQ_NAMES.queue}:events`;

/** Redis answers at the latest after this long, so that a connection that is dead and does not say so is noticed. */
const BLOCK_MS = 5_000;

/**
 * After each reading nothing is read for so long. Every job has three events or more: whoever reads each at once does
 * hardly anything else. Those who wait for the result of a job are told of it by another way.
 */
const REST_MS = 10;

const RETRY_PAUSE_MS = 1_000;

/**
 * Reads BullMQ's events of all jobs, by one connection of its own, from now until it is closed. In place of BullMQ's
 * QueueEvents, which reads each event at once, and stays broken if Redis is away while it starts.
 *
 * It reads the stream from its beginning, since `from now on` would lose what happens between two reads; old events do
 * no harm.
 */
export class BullMqEvents {
  readonly #redis: Redis;
  readonly #redisUrl: string;
  readonly #listener: BullMqEventListener;
  #connections: BlockingConnections | undefined;
  #lastId = '0-0';
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
    this.#connections?.disconnect();
  }

  async #keepReading(): Promise<void> {
    while (!this.#isClosed) {
      if (!(await isReadyWithin(this.#redis, RETRY_PAUSE_MS))) continue;
      await this.#read().catch(() => {});
      this.#connections?.disconnect();
      if (!this.#isClosed) await pause(RETRY_PAUSE_MS);
    }
  }

  /** Returns when closed, throws when it cannot go on. */
  async #read(): Promise<void> {
    this.#connections = await BlockingConnections.open(this.#redisUrl);
    const { template: redis } = this.#connections;
    while (!this.#isClosed) {
      const read = await redis.xread('BLOCK', BLOCK_MS, 'STREAMS', STREAM, this.#lastId);
      for (const [entryId, fields] of read?.[0]?.[1] ?? []) {
        this.#lastId = entryId;
        this.#tell(fields);
      }
      await pause(REST_MS);
    }
  }

  /** Names and values by turns: that of the event, that of its job, if it has one, and what else there is. */
  #tell([, event, , id, ...others]: readonly string[]): void {
    if (id === undefined) return;
    const { onFinal, onRemoved, onChange } = this.#listener;
    if (event === 'completed') onFinal(id, undefined);
    else if (event === 'failed') onFinal(id, others[others.indexOf('failedReason') + 1]);
    else if (event === 'removed') onRemoved(id);
    else onChange(id);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
