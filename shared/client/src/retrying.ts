import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from './client-error.js';

export interface RetryOptions {
  /** How often a call that may pass is made again. */
  readonly retries: number;
  /** The pause before the first repetition, about; it doubles from one to the next. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
}

/**
 * What the call gives, made again while its failures may pass: after a pause that doubles and is never the same for all
 * clients, or as long as the service asks, if that is longer. Rejects with the last failure, or the signal's reason.
 */
export async function retrying<Result>(
  call: () => Promise<Result>,
  { retries, firstPauseMs, maxPauseMs }: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === retries || !(error instanceof ClientError) || !error.isPassing) throw error;
      const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** attempt) * (0.75 + Math.random() / 2);
      await sleep(Math.max(pauseMs, error.retryAfterMs ?? 0), undefined, { signal }).catch(() => {
        throw signal?.reason;
      });
    }
  }
}
