import { PreflightError } from '@preflight/core';
import type { Redis } from 'ioredis';
import { storageKeys } from '../redis/keys.js';
import type { JobId } from './job-queue.js';

/** A job that was lost with its process this often is a suspect. Once is bad luck: hosts do get killed. */
const SUSPECT_LOSSES = 2;

/** A suspect that does not come back for so long is forgotten as such. */
const MEMORY_MS = 3_600_000;

/**
 * Gives up jobs that kill the process that runs them, and only those.
 *
 *   innocent --lost twice--> suspect --begun, and lost before its handler ended, `maxKills - 2` times--> poisoned
 *                               |
 *                               +--handler ended, in whichever way--> its kills are forgotten
 *
 * A killer takes its neighbours with it, and they come back together; so a consumer runs its suspects one after the
 * other, and only the one that was running is charged with the next kill. BullMQ's own count charges all of them, and
 * also those whose end could not be written down because Redis was full.
 */
export class PoisonWatch {
  readonly #redis: Redis;
  readonly #maxKills: number;
  #lastSuspect: Promise<unknown> = Promise.resolve();

  constructor(redis: Redis, maxKills: number) {
    this.#redis = redis;
    this.#maxKills = Math.max(maxKills, SUSPECT_LOSSES);
  }

  /** Runs the handler of a job. Throws PreflightError `job_poisoned` instead if the job has killed too often. */
  guard(job: { readonly id: JobId; readonly losses: number }, run: () => Promise<void>): Promise<void> {
    if (job.losses < SUSPECT_LOSSES) return run();
    const turn = this.#lastSuspect.then(() => this.#runSuspect(job.id, run));
    this.#lastSuspect = turn.catch(() => {});
    return turn;
  }

  async #runSuspect(id: JobId, run: () => Promise<void>): Promise<void> {
    const key = storageKeys.suspect(id);
    const begun = await this.#redis.incr(key);
    await this.#redis.pexpire(key, MEMORY_MS);
    if (begun > this.#maxKills - SUSPECT_LOSSES) {
      throw new PreflightError('job_poisoned', { params: { kills: this.#maxKills } });
    }
    try {
      await run();
    } finally {
      await this.#redis.del(key).catch(() => {});
    }
  }
}
