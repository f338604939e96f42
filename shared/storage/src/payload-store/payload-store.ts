/** Bytes in shared memory: threads read them without a copy. */
export type SharedBytes = Buffer<SharedArrayBuffer>;

/** SHA-256 of the bytes, 64 hexadecimal digits in lower case. */
export type Digest = string;

/** What is larger and a job's own is waited for before the job is added, so that it holds up nothing small. */
export const MAX_AHEAD_BYTES = 64 * 1024;

/**
 * Texts and attachments by their digest, for as long as somebody needs them.
 *
 *   absent --put--> held --release, or time, of the last holder--> absent
 *
 * Holders are jobs, by a lease, and uploads, which are kept for a time of their own. One payload may have many holders;
 * it goes with the last. Every hold ends by itself after its lifetime, so that what a crash leaves behind goes too.
 *
 * Any call may throw PreflightError `storage_unavailable` (the store is away; UnansweredError if it may have done it), and those that write `overloaded`
 * (it is full). Whoever reads a payload decides whether to check it against its digest.
 */
export interface PayloadStore {
  /** Holds the bytes, by a lease if one is named, else as an upload. Known bytes are not sent again. */
  put(digest: Digest, bytes: Uint8Array, options: PutOptions): Promise<void>;
  /**
   * Holds, as an upload, bytes that come in chunks, of which few are in memory at a time where the store is elsewhere.
   * Chunks that end by an error leave nothing behind, so that whoever gives them may check them against the digest.
   */
  putStream(digest: Digest, chunks: AsyncIterable<Uint8Array>, options: PutStreamOptions): Promise<void>;
  /** Whether each is here now; it may be gone the next moment, unless it is leased. */
  has(digests: readonly Digest[]): Promise<boolean[]>;
  /** The bytes, or undefined if they are not here. Holds all of them in memory. */
  get(digest: Digest): Promise<SharedBytes | undefined>;
  /** Adds a hold of the job to each payload that is here, and gives back those that are missing. May be repeated. */
  lease(jobId: string, digests: readonly Digest[], lifetimeMs: number): Promise<Digest[]>;
  /**
   * Holds bytes that one job alone needs, by its id in place of a digest: less to do than for what others may need too.
   * Up to `MAX_AHEAD_BYTES` they go ahead of a job that is added next, by the same way: nobody takes it before they are
   * here, also if this was not waited for.
   */
  putOwn(jobId: string, bytes: Uint8Array, lifetimeMs: number): Promise<void>;
  /** What was put for the job, or undefined if it is not here. */
  getOwn(jobId: string): Promise<Buffer | undefined>;
  /** Ends all leases of the jobs, and what is their own. What nobody else holds is gone at once. May be repeated. */
  release(jobIds: readonly string[]): Promise<void>;
  /** Keeps an upload for at least so long from now. False if it is not here. */
  keep(digest: Digest, lifetimeMs: number): Promise<boolean>;
  figures(): Promise<PayloadFigures>;
  close(): Promise<void>;
}

export interface PutOptions {
  /** The job that needs the bytes; without it they are an upload. */
  readonly lease?: string | undefined;
  readonly lifetimeMs: number;
}

export interface PutStreamOptions {
  readonly lifetimeMs: number;
  /** How many bytes are announced. A wrong figure costs a copy, nothing else. */
  readonly sizeBytes?: number | undefined;
}

export interface PayloadFigures {
  readonly usedBytes: number;
  /** Undefined if the store has no bound of its own. */
  readonly limitBytes: number | undefined;
}
