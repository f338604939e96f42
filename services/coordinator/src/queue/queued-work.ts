import { createHash, randomUUID } from 'node:crypto';
import { toSharedBytes } from '@preflight/body';
import type {
  CountJob,
  CountResult,
  CountTextJob,
  CountTextResult,
  PreflightJob,
  PreflightResult,
  Work,
} from '@preflight/contracts';
import { fromFault, PreflightError, TextRange } from '@preflight/core';
import type { Pool } from '@preflight/pool';
import type { Digest, FinalJobState, JobId, Storage } from '@preflight/storage';
import { allCached, rememberSmall } from '../cached-counts.js';
import { countTextBy } from '../count-text.js';
import type { RequestText } from '../distinct-texts.js';
import { holdBlobs } from '../hold-blobs.js';
import { type Outcome, outcomeOfKnown, preflightResultOf } from '../outcome.js';
import { type Prepared, prepare } from '../prepare.js';
import { decodeResult } from './job-result.js';
import { liftTexts } from './lift-texts.js';
import type { QueuedJob } from './queued-job.js';
import { writeSkeleton } from './skeleton.js';

export interface QueuedWorkOptions {
  /** Makes digests; nothing is counted here. */
  readonly pool: Pool;
  readonly storage: Storage<QueuedJob>;
  /** How long the texts of a job are kept if nobody tells that they are not needed any more, as after a crash. */
  readonly payloadLifetimeMs: number;
}

/** Up to here the way to a thread and back takes longer than the digest itself, which is some 20 µs. */
const DIGEST_HERE_BYTES = 8 * 1024;

/** Texts that are on their way to the store at a time. */
const PUTS_AT_ONCE = 4;

/**
 * Has the work of requests done by whoever consumes the queue:
 *
 *   prepare --all counts known--> answered here
 *      '--> long texts, and the request without them, into the payload store under a lease of the job
 *             --> their digest into the queue --> wait for the end of the job --> result --> leases released
 *
 * When the caller leaves or its time is up, the job is cancelled. Rejects with PreflightError: the faults of jobs,
 * `storage_unavailable` and `overloaded` of the stores, and what the signal was aborted with.
 */
export class QueuedWork implements Work {
  readonly #pool: Pool;
  readonly #storage: Storage<QueuedJob>;
  readonly #payloadLifetimeMs: number;
  /** What is tidied up behind answers. */
  readonly #endings = new Set<Promise<void>>();

  constructor({ pool, storage, payloadLifetimeMs }: QueuedWorkOptions) {
    this.#pool = pool;
    this.#storage = storage;
    this.#payloadLifetimeMs = payloadLifetimeMs;
  }

  async preflight(job: PreflightJob, signal: AbortSignal): Promise<PreflightResult> {
    return preflightResultOf(await this.#perform('preflight', job, signal));
  }

  count(job: CountJob, signal: AbortSignal): Promise<CountResult> {
    return this.#perform('count', job, signal);
  }

  countText(job: CountTextJob, signal: AbortSignal): Promise<CountTextResult> {
    return countTextBy(this, job, signal);
  }

  /** Waits until nothing is left behind of answers that were given. */
  async close(): Promise<void> {
    await Promise.all(this.#endings);
  }

  async #perform(
    kind: QueuedJob['kind'],
    job: CountJob | PreflightJob,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { countCache, payloads } = this.#storage;
    const prepared = await prepare({ pool: this.#pool, payloads }, job, { signal });
    const known = await allCached(countCache, prepared.texts);
    const atOnce = known && (await outcomeOfKnown(prepared, known));
    if (atOnce) return atOnce;
    const outcome = await this.#performElsewhere(kind, prepared, signal);
    await rememberSmall(countCache, prepared.texts, outcome.counts);
    return outcome;
  }

  async #performElsewhere(
    kind: QueuedJob['kind'],
    prepared: Prepared<RequestText>,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { jobs } = this.#storage;
    const id = randomUUID();
    let adding: Promise<unknown> | undefined;
    try {
      const data = await this.#store(id, kind, prepared, signal);
      signal.throwIfAborted();
      const startMs = performance.now();
      // Waits before the job is added, so that no end is missed.
      const ending = jobs.waitUntilFinal(id, signal);
      adding = jobs.add({ id, data });
      const [final] = await Promise.all([ending, adding]);
      return withQueueMs(await this.#outcome(id, final), performance.now() - startMs);
    } finally {
      this.#tidyUp(this.#end(id, adding, signal.aborted));
    }
  }

  /** What a coordinator needs of the request, stored; long texts that the store has are not sent again. */
  async #store(
    id: JobId,
    kind: QueuedJob['kind'],
    prepared: Prepared<RequestText>,
    signal: AbortSignal,
  ): Promise<QueuedJob> {
    const { countCache, payloads } = this.#storage;
    const lifetimeMs = this.#payloadLifetimeMs;
    await holdBlobs({ cache: countCache, payloads }, prepared.texts, { lease: id, lifetimeMs });
    const { references, ranges } = await liftTexts(this.#pool, prepared.texts, { signal });
    const put = (digest: Digest, range: TextRange) =>
      payloads.put(digest, range.bytes(), { lease: id, lifetimeMs });
    const missing = ranges.size > 0 ? await payloads.lease(id, [...ranges.keys()], lifetimeMs) : [];
    for (let i = 0; i < missing.length; i += PUTS_AT_ONCE) {
      signal.throwIfAborted();
      const batch = missing.slice(i, i + PUTS_AT_ONCE);
      await Promise.all(batch.map((digest) => put(digest, ranges.get(digest) as TextRange)));
    }
    const skeleton = rangeOf(await writeSkeleton(prepared, references));
    const digest = await this.#digest(skeleton, signal);
    await put(digest, skeleton);
    const storedBytes = [...ranges.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    const sizes = {
      messages: prepared.ledger.isUser.length,
      texts: prepared.texts.length,
      skeletonBytes: skeleton.byteLength,
      storedBytes,
    };
    return { kind, skeleton: digest, sizes };
  }

  async #digest(range: TextRange, signal: AbortSignal): Promise<Digest> {
    if (range.byteLength <= DIGEST_HERE_BYTES)
      return createHash('sha256').update(range.bytes()).digest('hex');
    const [digest] = await this.#pool.digestAll([[range]], { signal });
    return (digest as { sha256: Digest }).sha256;
  }

  /** What the job came to. The queue may have forgotten it, and its result still be there. */
  async #outcome(id: JobId, final: FinalJobState | undefined): Promise<Outcome> {
    if (final?.status === 'failed') throw fromFault(final.fault);
    if (final?.status === 'cancelled') throw new PreflightError('request_cancelled');
    const result = await this.#storage.results.get(id);
    if (result === undefined)
      throw new PreflightError('storage_unavailable', { internalDetail: `job ${id} has no result` });
    return decodeResult(result);
  }

  /** Cancels the job if nobody waits for it any more, and lets go of its texts. */
  async #end(id: JobId, adding: Promise<unknown> | undefined, isUnwanted: boolean): Promise<void> {
    const { jobs, payloads } = this.#storage;
    // A job that is being added cannot be cancelled before it is there.
    if (isUnwanted && adding) await adding.then(() => jobs.cancel(id)).catch(() => undefined);
    await payloads.release(id);
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

function rangeOf(bytes: Uint8Array): TextRange {
  const { buffer, byteOffset, byteLength } = toSharedBytes(bytes);
  return new TextRange(buffer, byteOffset, byteOffset + byteLength);
}
