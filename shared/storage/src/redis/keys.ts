/**
 * Every key on the queue's Redis starts with this. The braces are a hash tag: in a cluster all keys that a script or
 * BullMQ touches together live in the same slot.
 */
export const KEY_PREFIX = '{preflight}';

export const storageKeys = {
  /** Hash of the pieces of a payload. */
  payload: (digest: string) => `${KEY_PREFIX}:payload:${digest}`,
  /** What one job alone needs: a string, or a hash of pieces where it is large. */
  ownPayload: (jobId: string) => `${KEY_PREFIX}:payload:job:${jobId}`,
  /** Sorted set: who holds a payload, and until when (ms since 1970). */
  holders: (digest: string) => `${KEY_PREFIX}:holders:${digest}`,
  /** Set of the digests that a job holds. */
  leases: (jobId: string) => `${KEY_PREFIX}:leases:${jobId}`,
  /** Hash of the pieces of what a job came to. */
  result: (jobId: string) => `${KEY_PREFIX}:result:${jobId}`,
  /** Hash of what is known of an idempotency key, by its digest. */
  claim: (keyDigest: string) => `${KEY_PREFIX}:claim:${keyDigest}`,
  /** What is being written, until it is whole. */
  upload: (uploadId: string) => `${KEY_PREFIX}:upload:${uploadId}`,
  /** Hash: how much of a batch is stored, and until when it is written. */
  batch: (batchId: string) => `${KEY_PREFIX}:batch:${batchId}`,
  /** Stream of what the lines of a batch came to. */
  batchResults: (batchId: string) => `${KEY_PREFIX}:batch-results:${batchId}`,
  /** Says that a job is not wanted any more. */
  cancelled: (jobId: string) => `${KEY_PREFIX}:cancelled:${jobId}`,
  /** How often a suspected job was begun and not ended. */
  suspect: (jobId: string) => `${KEY_PREFIX}:suspect:${jobId}`,
  /** List of what a provider charged for a model; on the Redis of the counts. */
  calibration: (model: string) => `${KEY_PREFIX}:calibration:${model}`,
  /** Sorted set of the models that there are such lists of, by when they were last told of. */
  calibratedModels: () => `${KEY_PREFIX}:calibrations`,
  /** Written to find out whether Redis takes writes. */
  probe: () => `${KEY_PREFIX}:probe`,
} as const;
