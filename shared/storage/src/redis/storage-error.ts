import { PreflightError } from '@preflight/core';

/** What Redis answers when it has no memory left and may not evict. Scripts wrap it. */
const OUT_OF_MEMORY = /\bOOM\b/;

/** What Redis answers when it is there and cannot serve: loading its file, disk full, replica, no quorum, no access. */
const CANNOT_SERVE =
  /^(LOADING|MISCONF|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|NOREPLICAS|UNKILLABLE|NOAUTH|WRONGPASS|NOPERM)\b/;

/** What ioredis says when a command was not even sent. */
const NOT_SENT = /Stream isn't writeable/;

/** What ioredis says when the connection was lost before the answer came, or none came in time. */
const NO_ANSWER =
  /Connection is closed|Connection not|connection close|timed? ?out|retries per request|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/i;

/**
 * `storage_unavailable` of a call that was on its way when the store went away: it may have been done, and nobody can say. Where
 * doing it twice does no harm, it can be made again.
 */
export class UnansweredError extends PreflightError {
  constructor(internalDetail: string) {
    super('storage_unavailable', { internalDetail });
  }
}

/**
 * A failure of Redis in our words: `overloaded` when it is full, `storage_unavailable` when it is away or does not
 * serve (UnansweredError where it may have done what was asked). Anything else is a bug of ours and comes back as it is.
 */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PreflightError) return error;
  // Not kept as the cause: ioredis hangs the command on its errors, arguments and all, and those are content.
  const { message } = error;
  const internalDetail = `Redis: ${message}`;
  if (OUT_OF_MEMORY.test(message)) return new PreflightError('overloaded', { internalDetail });
  if (CANNOT_SERVE.test(message) || NOT_SENT.test(message))
    return new PreflightError('storage_unavailable', { internalDetail });
  return NO_ANSWER.test(message) ? new UnansweredError(internalDetail) : error;
}

/** Runs a call of Redis and throws its failures in our words. */
export async function orStorageError<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toStorageError(error);
  }
}
