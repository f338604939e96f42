import type { CompletedJob, StoredBody } from '@preflight/contracts';
import type { Address } from '@preflight/storage';

/**
 * What a job in the queue says: of which kind it is, and how large. Never what stands in it: the prepared request without
 * its long texts (the skeleton) lies in the payload store, under the id of the job.
 */
export interface QueuedJob {
  readonly kind: CompletedJob['kind'];
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
