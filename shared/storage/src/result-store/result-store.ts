/**
 * What jobs came to, by the id of the job. A job may be done twice, since delivery is at least once; its result
 * is written once, and that is what everybody reads.
 *
 * Any call may throw PreflightError `storage_unavailable`, and `putOnce` `overloaded`.
 */
export interface ResultStore {
  /** True if this result stands now; false, and nothing changes, if there is one already. May be repeated. */
  putOnce(jobId: string, bytes: Uint8Array, lifetimeMs: number): Promise<boolean>;
  /** The result, or undefined if there is none, or none any more. */
  get(jobId: string): Promise<Buffer | undefined>;
  close(): Promise<void>;
}
