import { setMaxListeners } from 'node:events';
import { PreflightError } from '@preflight/core';
import type { CancelFlag } from './messages.js';

export interface WorkOptions {
  /** Ends the work: the call rejects at once, tasks stop at their next step, and those still waiting never begin. */
  readonly signal?: AbortSignal | undefined;
  /** Told for every task how long it waited for a thread and how long it ran. */
  readonly onTask?: ((figures: TaskFigures) => void) | undefined;
}

export interface TaskFigures {
  readonly waitMs: number;
  readonly runMs: number;
}

/** One call's share of the pool, until it is done or no longer wanted. */
export class Work {
  /** Threads look at it between two texts. */
  readonly flag: CancelFlag = new SharedArrayBuffer(4);
  readonly #cancellation = new AbortController();
  readonly #onTask: WorkOptions['onTask'];

  constructor(onTask: WorkOptions['onTask']) {
    this.#onTask = onTask;
    // As many tasks listen as the call has under way.
    setMaxListeners(0, this.#cancellation.signal);
  }

  /** For tasks that would not look at the flag in time: aborting it ends their thread. */
  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  get isCancelled(): boolean {
    return this.signal.aborted;
  }

  cancel(): void {
    Atomics.store(new Int32Array(this.flag), 0, 1);
    this.#cancellation.abort();
  }

  report(figures: TaskFigures): void {
    if (!this.isCancelled) this.#onTask?.(figures);
  }
}

/** What `running` comes to, unless the signal comes first: then `onAbort` is called and nobody waits any longer. */
export function unlessAborted<Result>(
  running: Promise<Result>,
  signal: AbortSignal | undefined,
  onAbort: () => void = () => undefined,
): Promise<Result> {
  if (signal === undefined) return running;
  return new Promise((resolve, reject) => {
    const abort = () => {
      onAbort();
      reject(cancelledBy(signal));
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    running.finally(() => signal.removeEventListener('abort', abort)).then(resolve, reject);
  });
}

/** A caller that aborts with an error of ours (a deadline, say) gets that one back. */
export function cancelledBy(signal: AbortSignal): PreflightError {
  return signal.reason instanceof PreflightError ? signal.reason : noLongerWanted();
}

/** Work whose caller has left. */
export function noLongerWanted(): PreflightError {
  return new PreflightError('request_cancelled', { publicDetail: 'The work was no longer wanted.' });
}
