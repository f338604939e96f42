import type { FinalJobState, JobId } from './job-queue.js';

type Final = FinalJobState | undefined;

/** Those who wait for jobs to end: one entry in a map each, whatever tells the ends. */
export class FinalWaiters {
  readonly #waiters = new Map<JobId, Set<(state: Final) => void>>();

  /** Waits from this very moment on. Rejects with the signal's reason. */
  wait(id: JobId, signal: AbortSignal): Promise<Final> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const waiters = this.#waiters.get(id) ?? new Set();
      const leave = () => {
        signal.removeEventListener('abort', onAbort);
        waiters.delete(settle);
        if (waiters.size === 0 && this.#waiters.get(id) === waiters) this.#waiters.delete(id);
      };
      const settle = (state: Final) => {
        leave();
        resolve(state);
      };
      const onAbort = () => {
        leave();
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort);
      this.#waiters.set(id, waiters.add(settle));
    });
  }

  isAwaited(id: JobId): boolean {
    return this.#waiters.has(id);
  }

  settle(id: JobId, state: Final): void {
    for (const settle of this.#waiters.get(id) ?? []) settle(state);
  }

  settleAll(state: Final): void {
    for (const id of [...this.#waiters.keys()]) this.settle(id, state);
  }
}
