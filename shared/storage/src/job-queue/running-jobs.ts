import { endsWithin } from './ends-within.js';
import type { JobId } from './job-queue.js';

interface Run {
  readonly id: JobId;
  readonly controller: AbortController;
  readonly ended: Promise<unknown>;
}

/** The jobs that a consumer runs just now. One id may be there twice, after its lock was lost. */
export class RunningJobs {
  readonly #runs = new Set<Run>();

  get count(): number {
    return this.#runs.size;
  }

  ids(): JobId[] {
    return [...this.#runs].map(({ id }) => id);
  }

  run<T>(id: JobId, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const ended = work(controller.signal).finally(() => this.#runs.delete(run));
    const run: Run = { id, controller, ended };
    this.#runs.add(run);
    return ended;
  }

  abort(id: JobId, reason: unknown): void {
    for (const run of this.#runs) if (run.id === id) run.controller.abort(reason);
  }

  abortAll(reason: unknown): void {
    for (const { controller } of this.#runs) controller.abort(reason);
  }

  /** Waits until those that run now have ended, at most so long; false if they have not. */
  endWithin(timeoutMs: number): Promise<boolean> {
    return endsWithin(Promise.allSettled([...this.#runs].map(({ ended }) => ended)), timeoutMs);
  }
}
