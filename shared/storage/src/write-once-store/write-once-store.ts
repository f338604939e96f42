/**
 * Small things by name, written once and read by everybody until their lifetime is over: the ends of jobs, by the id of
 * the job, which may be done twice; the jobs of idempotency keys, which may be sent twice.
 *
 * Any call may throw PreflightError `storage_unavailable`, and `putOnce` `overloaded`.
 */
export interface WriteOnceStore {
  /** Where this process is told of values. */
  readonly address: Address;
  /**
   * True if this value stands now; false, and nothing changes, if there is one already. May be repeated. Whoever expects
   * it at `tellTo` is told, besides.
   */
  putOnce(name: string, bytes: Uint8Array, lifetimeMs: number, tellTo?: Address): Promise<boolean>;
  /** The value, or undefined if there is none, or none any more. */
  get(name: string): Promise<Buffer | undefined>;
  /** Ends the lifetime of a value so long from now; nothing if there is none. */
  expireIn(name: string, lifetimeMs: number): Promise<void>;
  /** Expects to be told of a value that is written from now on. */
  expect(name: string): Expected;
  close(): Promise<void>;
}

export type Address = string;

/** Of larger values is told that they are there, and not what they are: who listens has to take what comes. */
export const MAX_TOLD_BYTES = 16 * 1024;

export interface Expected {
  /**
   * The value, or undefined if that is too large to be told and has to be read; pending for ever if it was not told, or
   * that was lost: whoever waits has to look for himself as well.
   */
  readonly arrival: Promise<Buffer | undefined>;
  /** To be called in the end, whether it has come or not. */
  forget(): void;
}
