import { parseBodySteps } from '@preflight/body';
import type { CompletedJob, JobResponse, JobStateResponse, Jobs, JobView } from '@preflight/contracts';
import { fromFault, type Json, PreflightError } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import type { Answerer } from '../answerer.js';
import type { Answer } from '../answers/answer.js';
import type { Admission } from '../body/admission.js';
import { type CallKind, placed } from '../calls/call.js';
import { whenAborted } from '../connections/when-aborted.js';
import { problemOf } from '../problems/problems.js';
import type { CallWish } from './call-wish.js';

export interface JobCallsOptions {
  readonly answerer: Answerer;
  readonly jobs: Jobs;
  /** The request of a job is in memory while its answer is written. */
  readonly admission: Admission;
  readonly deadlineMs: number;
}

/** A call that is to be done as a job. */
export interface SubmittedCall {
  readonly kind: CallKind;
  readonly tree: Json;
  /** From which the tree was read. */
  readonly body: Uint8Array;
}

/** Calls that are done as jobs, and what they are answered with while they run and afterwards. */
export class JobCalls {
  readonly #options: JobCallsOptions;

  constructor(options: JobCallsOptions) {
    this.#options = options;
  }

  /**
   * Takes a call as a job and answers it: with its answer, if that is there within the time that the caller waits, else
   * with 202; both say where to ask again. `over` tells that the answer has left, or the caller; its job goes on. Rejects with PreflightError.
   */
  async take(
    { kind, tree, body }: SubmittedCall,
    { isAsync, waitMs, idempotencyKey }: CallWish,
    signals: { readonly over: AbortSignal; readonly work: AbortSignal },
  ): Promise<Answer> {
    const { answerer, jobs, deadlineMs } = this.#options;
    const call = await answerer.read(kind, tree);
    const submitted = jobs.submit({ job: call.job, body, idempotencyKey }, signals.work);
    const id = await placed(call, submitted);
    const view = await this.#waitWithin(
      id,
      isAsync ? Math.min(waitMs, deadlineMs) : deadlineMs,
      signals.over,
    );
    // Who does not wait at all gets 202 always, so that it can rely on it.
    if (!isEnded(view) || (isAsync && waitMs === 0)) return acceptedAnswer(id, view);
    const answer = await this.#answer(id, view, signals.over);
    return { ...answer, headers: { ...answer.headers, location: locationOf(id) } };
  }

  /** Where a job is and what it came to. `over` tells that the answer has left. Throws `not_found`, `job_expired`. */
  async describe(id: string, over: AbortSignal): Promise<JobResponse> {
    const view = await this.#find(id);
    if (!isEnded(view)) return stateOf(id, view);
    if (view.status === 'cancelled') return { id, status: 'cancelled' };
    const { status, body } = await this.#answer(id, view, over);
    return status === 200
      ? { id, status: 'completed', result: body as unknown as NonNullable<JobResponse['result']> }
      : { id, status: 'failed', problem: body as unknown as NonNullable<JobResponse['problem']> };
  }

  /** Where a job is. Throws `not_found`, `job_expired`. */
  async state(id: string): Promise<JobStateResponse> {
    return stateOf(id, await this.#find(id));
  }

  /** Cancels a job that has not ended, and tells where it is then. Throws `not_found`, `job_expired`. */
  async cancel(id: string): Promise<JobStateResponse> {
    await this.#find(id);
    await this.#options.jobs.cancel(id);
    return this.state(id);
  }

  watch(id: string, onChange: () => void): () => void {
    return this.#options.jobs.watch(id, onChange);
  }

  async #find(id: string): Promise<Exclude<JobView, { status: 'expired' }>> {
    const view = isJobId(id) ? await this.#options.jobs.find(id) : undefined;
    if (view === undefined)
      throw new PreflightError('not_found', { publicDetail: 'There is no job of this id, or not any more.' });
    if (view.status === 'expired') throw new PreflightError('job_expired');
    return view;
  }

  async #waitWithin(id: string, waitMs: number, over: AbortSignal) {
    if (waitMs > 0) {
      const waiting = AbortSignal.any([over, AbortSignal.timeout(waitMs)]);
      const view = await this.#find(id);
      if (isEnded(view)) return view;
      await this.#options.jobs.waitUntilFinal(id, waiting).catch((error: unknown) => {
        if (over.aborted || !waiting.aborted) throw error;
      });
    }
    return this.#find(id);
  }

  /** What the call would have been answered with, had its caller waited for it. */
  async #answer(id: string, view: EndedView, over: AbortSignal): Promise<Answer> {
    const context = { instance: `/v1/jobs/${id}`, requestId: id };
    if (view.status === 'cancelled') return problemOf(new PreflightError('job_cancelled'), context);
    if (view.status === 'failed') return problemOf(fromFault(view.fault), context);
    return this.#answerCompleted(id, view, over);
  }

  async #answerCompleted(id: string, view: CompletedJob, over: AbortSignal): Promise<Answer> {
    const { answerer, jobs, admission } = this.#options;
    const permit = admission.admit(Math.min(view.body.bytes, admission.limitBytes));
    whenAborted(over, () => permit.release());
    const bytes = await jobs.readBody(view.body);
    if (bytes === undefined) throw new PreflightError('job_expired');
    // What needs more than there is gets all there is, and is then alone.
    const reserve = (treeBytes: number) =>
      permit.resize(Math.min(bytes.length + treeBytes, admission.limitBytes));
    const kind: CallKind = view.kind === 'count' ? 'count' : 'preflight';
    const call = await answerer.read(kind, await new Turn().drive(parseBodySteps(bytes, { reserve })));
    const context = { instance: `/v1/${kind}`, requestId: id };
    return call.answer(view.result as never, context);
  }
}

type FoundView = Exclude<JobView, { status: 'expired' }>;
type EndedView = Exclude<FoundView, { status: 'waiting' | 'active' }>;

function isEnded(view: FoundView): view is EndedView {
  return view.status !== 'waiting' && view.status !== 'active';
}

/** A conversation that cannot fit is a result to the queue, and a failure to whoever asks. */
function stateOf(id: string, view: FoundView): JobStateResponse {
  if (view.status === 'completed') {
    const isRefused = 'decision' in view.result && view.result.decision.outcome === 'refused';
    return { id, status: isRefused ? 'failed' : 'completed' };
  }
  if (view.status === 'failed' || view.status === 'cancelled') return { id, status: view.status };
  const progress = view.status === 'active' ? view.progress : undefined;
  return { id, status: view.status, attempt: view.attempt, ...(progress && { progress: { ...progress } }) };
}

function acceptedAnswer(id: string, view: FoundView): Answer {
  return {
    status: 202,
    headers: { 'content-type': 'application/json; charset=utf-8', location: locationOf(id) },
    body: stateOf(id, view) as unknown as Json,
  };
}

function locationOf(id: string): string {
  return `/v1/jobs/${id}`;
}

/** What is no id of ours is not looked up: a UUID, behind the digest of its key if it was made for one. */
function isJobId(id: string): boolean {
  return /^([\w-]{43}_)?[0-9a-f-]{36}$/.test(id);
}
