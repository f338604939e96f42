import type { CompletedJob, StoredBody } from '@preflight/contracts';
import type { Address, Digest } from '@preflight/storage';

/** What a job in the queue says: where its request lies, and how large it is. Never what stands in it. */
export interface QueuedJob {
  readonly kind: CompletedJob['kind'];
  /** Of the prepared request without its long texts, in the payload store. */
  readonly skeleton: Digest;
  readonly sizes: {
    readonly messages: number;
    readonly texts: number;
    readonly skeletonBytes: number;
    /** Of the texts that lie apart from the skeleton. */
    readonly storedBytes: number;
  };
  /** The request as it came, from which whoever asks later is answered; undefined if the caller waits with it in hand. */
  readonly body?: StoredBody;
  /** Where the caller waits who is to be told the end. */
  readonly answerTo?: Address;
}
