/** Where a reader of a batch stands: behind the piece of this name. `''` is the beginning. */
export type BatchCursor = string;

/** A stretch of a record; records of up to 512 KiB have one. */
export interface BatchPiece {
  readonly cursor: BatchCursor;
  readonly bytes: Buffer;
  /** Whether a record begins with it. A reader who resumes leaves out the rest of a record that it does not begin with. */
  readonly isFirst: boolean;
}

export interface BatchState {
  /** Of pieces that are stored now. */
  readonly storedBytes: number;
  /** Nobody adds records now: all who wrote have ended, or are not heard of. */
  readonly isEnded: boolean;
}

/**
 * What the lines of a batch came to, in the order in which they were done, until somebody has read it:
 *
 *   unknown --open--> open --append…--> open --end of the last writer, or time--> ended --time--> unknown
 *                       '<--------------------open---------------------------------'
 *
 * Several may write at a time, each under a name of its own: who was cut off comes back before that is noticed. Records are content, like payloads. Whoever writes looks at `storedBytes`, and waits while it is too much; whoever
 * reads forgets what it has passed on. Any call may throw PreflightError `storage_unavailable`, `append` `overloaded`.
 */
export interface BatchStore {
  /** From now on records of this writer come, for so long; then it counts as gone. To be repeated while it goes on. */
  open(batchId: string, writer: string, openForMs: number): Promise<void>;
  /** Of this writer no more records come. */
  end(batchId: string, writer: string): Promise<void>;
  /** Adds a record, whole or not at all, behind all others. Answers how many bytes are stored then. */
  append(batchId: string, record: Uint8Array): Promise<number>;
  /** Pieces behind the cursor, some MiB at most; fewer than there are if they are many. */
  read(batchId: string, after: BatchCursor): Promise<BatchPiece[]>;
  /**
   * Whether a reader may stand there: false for a cursor ahead of all pieces that ever came, and one of another kind of
   * store. One from before the batch was forgotten is behind all that come since. True for `''`.
   */
  hasReached(batchId: string, cursor: BatchCursor): Promise<boolean>;
  /** Lets go of what was read: all up to the piece of this name. */
  forget(batchId: string, upTo: BatchCursor): Promise<void>;
  /** Undefined if the batch is unknown, or not known any more. */
  state(batchId: string): Promise<BatchState | undefined>;
  close(): Promise<void>;
}

export interface BatchStoreOptions {
  /** How long a batch is known after the last that was done to it, with what is stored of it. */
  readonly lifetimeMs: number;
}
