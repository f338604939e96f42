import type { Fault } from '@preflight/core';

/** Letters, digits, `_` and `-`, with at least one that is no digit; at most 128. See assertJobId. */
export type JobId = string;

/**
 * Work that is done at least once, by whichever process consumes the queue.
 *
 *              add                  taken                 handler returns
 *   unknown ---------> waiting ---------------> active ------------------> completed
 *                       ^   |                    |  |
 *                       |   | cancel             |  | handler throws what may pass; or its process is lost
 *                       +---|--------------------+  |     (back to waiting, at once or after a pause)
 *                           v      cancel, handler  |
 *                       cancelled <-----------------+---> failed   what cannot pass, attempts used up, or poisoned
 *                                   obeys
 *
 * The last three are final. A final state is remembered for a while, then the id is unknown again.
 *
 * Job data is small: ids, digests, sizes and options, never content. What they come to goes to a WriteOnceStore.
 *
 * Calls may throw PreflightError `storage_unavailable` (the queue is away; UnansweredError if it may have done it); `add` throws `overloaded` as well.
 */
export interface JobQueue<Data extends object = object> {
  /** Puts a job into the queue, once: an id that is known stays as it is, whatever its state. */
  add(job: NewJob<Data>): Promise<'added' | 'known'>;
  /** Undefined if the id is unknown, or not known any more. */
  state(id: JobId): Promise<JobState | undefined>;
  /**
   * The final state, as soon as there is one. May be called before `add`, so that nothing is missed. Undefined if the
   * job was forgotten before its end was seen: then only its result, if there is one, can tell.
   * Rejects with the signal's reason. Takes hardly anything while it waits.
   */
  waitUntilFinal(id: JobId, signal: AbortSignal): Promise<FinalJobState | undefined>;
  /** Ends a job: at once if it waits; if it runs, its handler's signal is aborted soon, on whichever host. */
  cancel(id: JobId): Promise<CancelOutcome>;
  /** Calls the listener with the state, now and whenever it changes, until the returned function is called. */
  subscribe(id: JobId, listener: (state: JobState) => void): () => void;
  /** A consumer, not yet started. Any number of processes may have any number of them. */
  consume(handler: JobHandler<Data>, options: ConsumeOptions): Consumer;
  figures(): Promise<JobQueueFigures>;
  /** Stops all consumers of this object, then lets go of connections. Bounded in time, also without Redis. */
  close(): Promise<void>;
}

export interface NewJob<Data> {
  readonly id: JobId;
  readonly data: Data;
  /** 0 to 2,000,000, lower ones first; equal ones in the order in which they came. Default 0. */
  readonly priority?: number;
  /** Nobody else can have added this id: it is not asked whether it is known, which takes two ways to Redis. */
  readonly isNew?: boolean;
  /**
   * Nobody is going to ask for its state once it is completed: then it is forgotten at once, and its id unknown. On Redis
   * a tenth less to do for a small job. Failed and cancelled ones are remembered.
   */
  readonly forgetWhenCompleted?: boolean;
}

export interface Job<Data> {
  readonly id: JobId;
  readonly data: Data;
  /** From 1. Attempts whose process was lost, or was stopped, are not counted. */
  readonly attempt: number;
  /** Since it was added; by the clocks of both hosts, and never negative. */
  readonly waitedMs: number;
}

/** A few numbers and words. */
export type JobProgress = Readonly<Record<string, number | string>>;

export type JobState =
  | { readonly status: 'waiting'; readonly attempt: number }
  | { readonly status: 'active'; readonly attempt: number; readonly progress?: JobProgress }
  | FinalJobState;

export type FinalJobState =
  | { readonly status: 'completed' }
  | { readonly status: 'failed'; readonly fault: Fault }
  | { readonly status: 'cancelled' };

/** `requested`: it is running, and will end soon, in whichever way; `final`: it had ended before. */
export type CancelOutcome = 'cancelled' | 'requested' | 'final' | 'unknown';

/**
 * Does a job. May run twice for one job, also at the same time on two hosts, when a process is thought lost and is not;
 * so repeating it must be harmless. Stops and throws when its signal is aborted: the job was cancelled
 * (`request_cancelled`), the consumer stops (`shutting_down`), or another host has it (`storage_unavailable`).
 */
export type JobHandler<Data> = (job: Job<Data>, context: JobContext) => Promise<void>;

export interface JobContext {
  readonly signal: AbortSignal;
  /** Tells how far the job is. Never waits and never fails; when called often, only the latest is told. */
  progress(progress: JobProgress): void;
}

export interface ConsumeOptions {
  /** So many jobs at a time. */
  readonly concurrency: number;
  /** Running jobs have so long to end when the consumer stops; then they go back to the queue. Default 10 s. */
  readonly stopGraceMs?: number;
}

/** A wait may begin before `add`; an id that is unknown for longer than this has been forgotten. */
export const UNKNOWN_GRACE_MS = 5_000;

export const DEFAULT_STOP_GRACE_MS = 10_000;

/** Handlers have so long to end after their signal was aborted. */
export const ABORT_GRACE_MS = 1_000;

/** Both may be called twice and in any order; a stopped consumer may be started again. */
export interface Consumer {
  start(): Promise<void>;
  /** Takes no new jobs, waits for the running ones as long as `stopGraceMs`, and a second more for their signals. */
  stop(): Promise<void>;
}

export interface JobQueueFigures {
  readonly waiting: number;
  readonly active: number;
  /** Waiting for their next attempt. */
  readonly delayed: number;
  /** Of those remembered. */
  readonly failed: number;
}

/** Whether a job will never be in another state. */
export function isFinal(state: JobState): state is FinalJobState {
  return state.status !== 'waiting' && state.status !== 'active';
}
