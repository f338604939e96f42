import { PreflightError } from '@preflight/core';
import type { Redis } from 'ioredis';
import { storageKeys } from './keys.js';
import { toStorageError } from './storage-error.js';

const PROBE_LIFETIME_MS = 10_000;

/** Why Redis takes no writes just now, or undefined: it is away, full, loading, a replica, or its disk is full. */
export async function refusalOfWrites(redis: Redis): Promise<PreflightError | undefined> {
  try {
    await redis.set(storageKeys.probe(), '', 'PX', PROBE_LIFETIME_MS);
    return undefined;
  } catch (error) {
    const refusal = toStorageError(error);
    return refusal instanceof PreflightError
      ? refusal
      : new PreflightError('internal_error', { cause: error });
  }
}
