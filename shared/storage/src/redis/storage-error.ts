import { PreflightError } from '@preflight/core';

/** What Redis answers when it has no memory left and may not evict. Scripts wrap it. */
const OUT_OF_MEMORY = /\bOOM\b/;

/** What Redis answers when it is there and cannot serve: loading its file, disk full, replica, no quorum, no access. */
const CANNOT_SERVE =
  /^(LOADING|MISCONF|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|NOREPLICAS|UNKILLABLE|NOAUTH|WRONGPASS|NOPERM)\b/;

/** What ioredis says when there is no connection, or no answer in time. */
const NO_CONNECTION =
  /Stream isn't writeable|Connection is closed|Connection not|timed? ?out|retries per request|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/i;

/**
 * A failure of Redis in our words: `overloaded` when it is full, `storage_unavailable` when it is away or does not
 * serve. Anything else is a bug of ours and comes back as it is.
 */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PreflightError) return error;
  // Not kept as the cause: ioredis hangs the command on its errors, arguments and all, and those are content.
  const parts = { internalDetail: `Redis: ${error.message}` };
  if (OUT_OF_MEMORY.test(error.message)) return new PreflightError('overloaded', parts);
  if (CANNOT_SERVE.test(error.message) || NO_CONNECTION.test(error.message)) {
    return new PreflightError('storage_unavailable', parts);
  }
  return error;
}

/** Runs a call of Redis and throws its failures in our words. */
export async function orStorageError<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toStorageError(error);
  }
}
