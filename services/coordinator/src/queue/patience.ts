import { setTimeout as sleep } from 'node:timers/promises';
import { PreflightError } from '@preflight/core';
import { UnansweredError } from '@preflight/storage';

/** A store that is away for longer is not waited for. A Redis that is started again is back within seconds. */
const PATIENCE_MS = 10_000;

const PAUSE_MS = 100;

/**
 * A call of a store on behalf of somebody who has waited for long already: it is made again while the store is away, so
 * that an outage of some seconds costs no answer. `attempt` counts from 0; the call must do no harm when it is repeated.
 * Rejects with `storage_unavailable` after 10 s, with other failures at once, and with the signal's reason.
 */
export async function patiently<Result>(
  call: (attempt: number) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const startMs = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      return await call(attempt);
    } catch (error) {
      signal.throwIfAborted();
      const isAway = error instanceof PreflightError && error.code === 'storage_unavailable';
      if (!isAway || performance.now() - startMs > PATIENCE_MS) throw error;
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/**
 * The same for the first call on behalf of somebody: of a store that is away it fails at once, and it is made again only where
 * the store went away with the call on its way.
 */
export async function patientlyOnceSent<Result>(
  call: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error;
    return patiently(call, signal);
  }
}
