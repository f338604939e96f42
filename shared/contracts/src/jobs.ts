import type { Fault } from '@preflight/core';
import type {
  CountJob,
  CountResult,
  ListJob,
  PreflightJob,
  PreflightResult,
  TrimJob,
  TrimResult,
} from './work.js';

/**
 * Work whose caller need not wait for it. It is taken under an id, done by whoever consumes the queue (in this process
 * or elsewhere), and asked for by that id until its result expires.
 *
 *   submit --> waiting --> active --> completed | failed | cancelled --result lifetime--> expired --> unknown
 *
 * Calls reject with PreflightError: `storage_unavailable`, and `submit` with `overloaded` as well.
 */
export interface Jobs {
  /**
   * Takes work and gives its id; once it resolves, the job is no longer lost with this process. The same request with
   * the same idempotency key is the same job. Rejects also with `idempotency_key_reused`, with the codes of reading a
   * request, and with what `signal` was aborted with.
   */
  submit(work: SubmittedWork, signal: AbortSignal): Promise<string>;
  /** Where the job is; undefined if the id is unknown, or not known any more. */
  find(id: string): Promise<JobView | undefined>;
  /** Resolves when the job may have ended, so that `find` tells its end. Rejects with the signal's reason. */
  waitUntilFinal(id: string, signal: AbortSignal): Promise<void>;
  /** Calls back now, and whenever `find` may tell something else, until the returned function is called. */
  watch(id: string, onChange: () => void): () => void;
  /** Ends a job that has not ended: at once if it waits, soon if it runs. */
  cancel(id: string): Promise<void>;
  /** What was submitted, all of it in memory; undefined if it has expired. */
  readBody(body: StoredBody): Promise<Uint8Array | undefined>;
}

export interface SubmittedWork {
  readonly job: CountJob | ListJob | PreflightJob | TrimJob;
  /** The request as it came, from which the answer is written when the job is done. Not to be changed any more. */
  readonly body: Uint8Array;
  readonly idempotencyKey: string | undefined;
}

export type JobView =
  | { readonly status: 'waiting'; readonly attempt: number }
  | {
      readonly status: 'active';
      readonly attempt: number;
      readonly progress?: Readonly<Record<string, number | string>>;
    }
  | CompletedJob
  | { readonly status: 'failed'; readonly fault: Fault }
  | { readonly status: 'cancelled' }
  /** It has ended, and what it came to is not kept any more. */
  | { readonly status: 'expired' };

/** A submitted body, as it lies in the payload store. */
export interface StoredBody {
  /** SHA-256 in hex. */
  readonly digest: string;
  readonly bytes: number;
}

export type CompletedJob = {
  readonly status: 'completed';
  readonly body: StoredBody;
} & (
  | { readonly kind: 'preflight'; readonly result: PreflightResult }
  | { readonly kind: 'list'; readonly result: TrimResult }
  | { readonly kind: 'count'; readonly result: CountResult }
);
