import type { Redis } from 'ioredis';
import { storageKeys } from '../redis/keys.js';
import { answersOf } from '../redis/transaction.js';
import type { JobId } from './job-queue.js';

/**
 * Notes on Redis that jobs are not wanted any more. They are the memory of cancelled jobs, which BullMQ forgets, and
 * the way by which the host that runs one learns of it: it looks, since a message may be lost on its way.
 */
export class CancelMarks {
  readonly #redis: Redis;
  readonly #lifetimeMs: number;

  constructor(redis: Redis, lifetimeMs: number) {
    this.#redis = redis;
    this.#lifetimeMs = lifetimeMs;
  }

  async set(id: JobId): Promise<void> {
    await this.#redis.set(storageKeys.cancelled(id), '', 'PX', this.#lifetimeMs);
  }

  async has(id: JobId): Promise<boolean> {
    return (await this.#redis.exists(storageKeys.cancelled(id))) === 1;
  }

  /** Those of the jobs that are marked. */
  async among(ids: readonly JobId[]): Promise<JobId[]> {
    const commands = this.#redis.pipeline();
    for (const id of ids) commands.exists(storageKeys.cancelled(id));
    const answers = await answersOf(commands);
    return ids.filter((_, index) => answers[index] === 1);
  }
}
