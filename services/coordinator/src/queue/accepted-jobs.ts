import { randomUUID } from 'node:crypto';
import type { Jobs, JobView, StoredBody, SubmittedWork } from '@preflight/contracts';
import { type Fault, PreflightError, toFault } from '@preflight/core';
import type { Pool } from '@preflight/pool';
import { isFinal, type JobId, type Storage } from '@preflight/storage';
import { preflightResultOf, trimResultOf } from '../outcome.js';
import { prepare } from '../prepare.js';
import { claimJob } from './claim.js';
import { decodeEnd, type JobEnd } from './job-end.js';
import { patiently, patientlyOnceSent } from './patience.js';
import type { QueuedJob } from './queued-job.js';
import { settleJob } from './settle-job.js';
import { digestOf, type RequestStoreParts, rangeOf, storeRequest } from './store-request.js';

export interface AcceptedJobsOptions {
  /** Makes digests; nothing is counted here. */
  readonly pool: Pool;
  readonly storage: Storage<QueuedJob>;
  /** How long a job may take from its submission to its end; then what it needs is gone. */
  readonly payloadLifetimeMs: number;
  /** How long what a job came to is kept after its end. */
  readonly resultLifetimeMs: number;
}

/**
 * Jobs whose callers do not wait, over the stores of this process or those that all processes share. What a job came to
 * is written once, and that alone tells its end; until then the queue tells where it is:
 *
 *   submit: prepare --> texts and body into the payload store, leased by the job --> queue
 *   end:    result store, and the lease of the body goes over to the answer, for as long as the result is kept
 */
export class AcceptedJobs implements Jobs {
  readonly #pool: Pool;
  readonly #storage: Storage<QueuedJob>;
  readonly #requests: RequestStoreParts;
  readonly #resultLifetimeMs: number;

  constructor({ pool, storage, payloadLifetimeMs, resultLifetimeMs }: AcceptedJobsOptions) {
    this.#pool = pool;
    this.#storage = storage;
    const { payloads, countCache: cache } = storage;
    this.#requests = { pool, payloads, cache, payloadLifetimeMs };
    this.#resultLifetimeMs = resultLifetimeMs;
  }

  async submit({ job, body, idempotencyKey }: SubmittedWork, signal: AbortSignal): Promise<string> {
    const bytes = rangeOf(body);
    const stored = { digest: await digestOf(this.#pool, bytes, signal), bytes: bytes.byteLength };
    if (idempotencyKey === undefined) {
      const id = randomUUID();
      await this.#add(id, job, bytes.bytes(), stored, { isNew: true, signal }).catch((error) =>
        this.#letGo(id, error),
      );
      return id;
    }
    const request = `${'fit' in job || 'options' in job ? 'preflight' : 'count'} ${stored.digest}`;
    const lifetimeMs = this.#requests.payloadLifetimeMs + this.#resultLifetimeMs;
    const id = await claimJob(this.#storage.claims, idempotencyKey, request, lifetimeMs);
    // Whoever claimed it may have failed before the job was in the queue. Adding it twice does no harm, and what others
    // have stored for it must stay.
    if ((await this.find(id)) === undefined)
      await this.#add(id, job, bytes.bytes(), stored, { isNew: false, signal });
    return id;
  }

  async find(id: JobId): Promise<JobView | undefined> {
    const end = await this.#end(id);
    if (end) return viewOf(end);
    const state = await this.#storage.jobs.state(id);
    if (state === undefined || !isFinal(state)) return state;
    // It has ended since, or without its consumer being able to write that down.
    if (state.status === 'failed') await this.#settle(id, state.fault);
    if (state.status === 'cancelled') await this.#settle(id, CANCELLED);
    const settled = await this.#end(id);
    return settled ? viewOf(settled) : { status: 'expired' };
  }

  async waitUntilFinal(id: JobId, signal: AbortSignal): Promise<void> {
    await this.#storage.jobs.waitUntilFinal(id, signal);
  }

  watch(id: JobId, onChange: () => void): () => void {
    return this.#storage.jobs.subscribe(id, onChange);
  }

  async cancel(id: JobId): Promise<void> {
    if ((await this.#storage.jobs.cancel(id)) === 'cancelled') await this.#settle(id, CANCELLED);
  }

  readBody({ digest }: StoredBody): Promise<Uint8Array | undefined> {
    return this.#storage.payloads.get(digest);
  }

  async #add(
    id: JobId,
    job: SubmittedWork['job'],
    bytes: Uint8Array,
    body: StoredBody,
    { isNew, signal }: { readonly isNew: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    const { payloads, jobs } = this.#storage;
    const prepared = await prepare(this.#requests, job, { signal });
    const { data, skeleton } = await storeRequest(this.#requests, id, prepared, signal);
    const { payloadLifetimeMs: lifetimeMs } = this.#requests;
    await Promise.all([
      patientlyOnceSent(() => payloads.putOwn(id, skeleton, lifetimeMs), signal),
      patientlyOnceSent(() => payloads.put(body.digest, bytes, { lease: id, lifetimeMs }), signal),
    ]);
    signal.throwIfAborted();
    const add = (attempt: number) => jobs.add({ id, data: { ...data, body }, isNew: isNew && attempt === 0 });
    await patiently(add, signal);
  }

  /** Of a job that was not taken nothing is kept, unless it may be in the queue all the same. */
  async #letGo(id: JobId, error: unknown): Promise<never> {
    const isTaken = await this.#storage.jobs.state(id).catch(() => 'unknown' as const);
    if (isTaken === undefined) await this.#storage.payloads.release([id]).catch(() => undefined);
    throw error;
  }

  async #end(id: JobId): Promise<JobEnd | undefined> {
    const stored = await this.#storage.results.get(id);
    return stored && decodeEnd(stored);
  }

  #settle(id: JobId, fault: Fault): Promise<void> {
    return settleJob(this.#storage, id, { fault }, this.#resultLifetimeMs);
  }
}

const CANCELLED = toFault(new PreflightError('request_cancelled'));

/** Undefined for a job whose caller waited for it: that one has been told, and nobody else knows its id. */
function viewOf(end: JobEnd): JobView | undefined {
  if ('fault' in end)
    return end.fault.code === 'request_cancelled'
      ? { status: 'cancelled' }
      : { status: 'failed', fault: end.fault };
  const { kind, body, outcome } = end;
  if (body === undefined) return undefined;
  const completed = { status: 'completed', body } as const;
  switch (kind) {
    case 'preflight':
      return { ...completed, kind, result: preflightResultOf(outcome) };
    case 'list':
      return { ...completed, kind, result: trimResultOf(outcome) };
    case 'count':
      return { ...completed, kind, result: outcome };
  }
}
