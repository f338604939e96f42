import { randomUUID } from 'node:crypto';
import type {
  CountJob,
  CountResult,
  ListJob,
  PreflightJob,
  PreflightResult,
  TrimJob,
  TrimResult,
  Work,
} from '@preflight/contracts';
import { fromFault, PreflightError } from '@preflight/core';
import { type Pool, unlessAborted } from '@preflight/pool';
import type { FinalJobState, JobId, Storage } from '@preflight/storage';
import { allCached, rememberOthers } from '../counts/cached-counts.js';
import { type Outcome, outcomeOfKnown, preflightResultOf, trimResultOf } from '../outcome.js';
import { prepare } from '../prepare.js';
import type { Prepared } from '../prepared.js';
import type { RequestText } from '../texts/distinct-texts.js';
import { decodeEnd, outcomeOf } from './job-end.js';
import { Later } from './later.js';
import { patiently } from './patience.js';
import type { QueuedJob } from './queued-job.js';
import { Releases } from './releases.js';
import { sendJob } from './send-job.js';
import { type RequestStoreParts, storeRequest } from './store-request.js';

export interface QueuedWorkOptions {
  /** Makes digests; nothing is counted here. */
  readonly pool: Pool;
  readonly storage: Storage<QueuedJob>;
  /** How long the texts of a job are kept if nobody tells that they are not needed any more, as after a crash. */
  readonly payloadLifetimeMs: number;
}

/** What was told may have been lost; and of a job that was given up nothing is told. */
const LOOK_AFTER_MS = 500;

/**
 * Has the work of requests done by whoever consumes the queue:
 *
 *   prepare --all counts known--> answered here
 *      '--> long texts, and the request without them, into the payload store under a lease of the job
 *             --> the job into the queue --> told the result, or the end of the job and read it --> leases released
 *
 * Once something of it was sent, a request outlives some seconds without the stores; before that it fails at once. When the
 * caller leaves or its time is up, the job is cancelled. Rejects with PreflightError: the faults of jobs,
 * `storage_unavailable` and `overloaded` of the stores, and what the signal was aborted with.
 */
export class QueuedWork implements Work {
  readonly #pool: Pool;
  readonly #storage: Storage<QueuedJob>;
  readonly #requests: RequestStoreParts;
  /** What is tidied up behind answers. */
  readonly #endings = new Set<Promise<void>>();
  readonly #releases: Releases;

  constructor({ pool, storage, payloadLifetimeMs }: QueuedWorkOptions) {
    this.#pool = pool;
    this.#storage = storage;
    const { payloads, countCache: cache } = storage;
    this.#requests = { pool, payloads, cache, payloadLifetimeMs };
    this.#releases = new Releases(payloads);
  }

  async preflight(job: PreflightJob, signal: AbortSignal): Promise<PreflightResult> {
    return preflightResultOf(await this.#perform(job, signal));
  }

  count(job: CountJob | ListJob, signal: AbortSignal): Promise<CountResult> {
    return this.#perform(job, signal);
  }

  async trim(job: TrimJob, signal: AbortSignal): Promise<TrimResult> {
    return trimResultOf(await this.#perform(job, signal));
  }

  /** Waits until nothing is left behind of answers that were given. */
  async close(): Promise<void> {
    await Promise.all(this.#endings);
    await this.#releases.close();
  }

  async #perform(job: CountJob | ListJob | PreflightJob | TrimJob, signal: AbortSignal): Promise<Outcome> {
    const { countCache, payloads } = this.#storage;
    const prepared = await prepare({ pool: this.#pool, cache: countCache, payloads }, job, { signal });
    const known = await allCached(countCache, prepared.texts);
    const atOnce = known && (await outcomeOfKnown(prepared, known));
    if (atOnce) return atOnce;
    const outcome = await this.#performElsewhere(prepared, signal);
    await rememberOthers(countCache, prepared.texts, outcome);
    return outcome;
  }

  async #performElsewhere(prepared: Prepared<RequestText>, signal: AbortSignal): Promise<Outcome> {
    const { results } = this.#storage;
    const id = randomUUID();
    // Waits before the job is added, so that no end is missed.
    const told = results.expect(id);
    let looking: Later<Outcome> | undefined;
    let sending: Promise<void> | undefined;
    try {
      const { data, skeleton } = await storeRequest(this.#requests, id, prepared, signal);
      signal.throwIfAborted();
      const startMs = performance.now();
      looking = new Later(LOOK_AFTER_MS, () => this.#look(id, signal));
      const isTold = told.arrival.then((end) => (end ? outcomeOf(decodeEnd(end)) : this.#read(id, signal)));
      const job = { id, data: { ...data, answerTo: results.address }, forgetWhenCompleted: true };
      const own = { bytes: skeleton, lifetimeMs: this.#requests.payloadLifetimeMs };
      sending = sendJob(this.#storage, job, own, signal);
      const ended = Promise.all([Promise.race([isTold, looking.result]), sending]);
      const [outcome] = await unlessAborted(ended, signal);
      return withQueueMs(outcome, performance.now() - startMs);
    } finally {
      told.forget();
      looking?.cancel();
      this.#tidyUp(this.#end(id, sending, signal.aborted));
    }
  }

  /** What a job came to of which nothing was told so far. */
  async #look(id: JobId, signal: AbortSignal): Promise<Outcome> {
    const { jobs, results } = this.#storage;
    const stored = await patiently(() => results.get(id), signal);
    if (stored) return outcomeOf(decodeEnd(stored));
    return this.#outcome(id, await jobs.waitUntilFinal(id, signal), signal);
  }

  /** What the job came to. The queue may have forgotten it, and its result still be there. */
  async #outcome(id: JobId, final: FinalJobState | undefined, signal: AbortSignal): Promise<Outcome> {
    if (final?.status === 'failed') throw fromFault(final.fault);
    if (final?.status === 'cancelled') throw new PreflightError('request_cancelled');
    return this.#read(id, signal);
  }

  async #read(id: JobId, signal: AbortSignal): Promise<Outcome> {
    const stored = await patiently(() => this.#storage.results.get(id), signal);
    if (stored === undefined)
      throw new PreflightError('storage_unavailable', { internalDetail: `job ${id} has no result` });
    return outcomeOf(decodeEnd(stored));
  }

  /** Cancels the job if nobody waits for it any more, and lets go of its texts. */
  async #end(id: JobId, sending: Promise<void> | undefined, isUnwanted: boolean): Promise<void> {
    // A job that is being added cannot be cancelled before it is there.
    if (isUnwanted && sending) await sending.then(() => this.#storage.jobs.cancel(id)).catch(() => undefined);
    this.#releases.add(id);
  }

  /** Nobody waits for it. What fails, because Redis is away, ends by its lifetime. */
  #tidyUp(ending: Promise<void>): void {
    const settled = ending.catch(() => undefined).then(() => void this.#endings.delete(settled));
    this.#endings.add(settled);
  }
}

/** The time in the queue and on the way there and back. */
function withQueueMs(outcome: Outcome, elapsedMs: number): Outcome {
  const workMs = outcome.countMs + (outcome.fit?.fitMs ?? 0);
  return { ...outcome, queueMs: Math.max(outcome.queueMs, elapsedMs - workMs) };
}
