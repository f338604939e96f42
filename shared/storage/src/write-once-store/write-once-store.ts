/**
 * Small things by name, written once and read by everybody until their lifetime is over: the ends of jobs, by the id of
 * the job, which may be done twice; the jobs of idempotency keys, which may be sent twice.
 *
 * Any call may throw PreflightError `storage_unavailable`, and `putOnce` `overloaded`.
 */
export interface WriteOnceStore {
  /** True if this value stands now; false, and nothing changes, if there is one already. May be repeated. */
  putOnce(name: string, bytes: Uint8Array, lifetimeMs: number): Promise<boolean>;
  /** The value, or undefined if there is none, or none any more. */
  get(name: string): Promise<Buffer | undefined>;
  close(): Promise<void>;
}
