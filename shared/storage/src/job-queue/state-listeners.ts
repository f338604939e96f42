import type { JobId, JobState } from './job-queue.js';

type Listener = (state: JobState) => void;

/** Who is told about which job. */
export class StateListeners {
  readonly #listeners = new Map<JobId, Set<Listener>>();

  add(id: JobId, listener: Listener): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    // Wrapped, so that the same function may listen twice.
    const own = (state: JobState) => listener(state);
    this.#listeners.set(id, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
  }

  has(id: JobId): boolean {
    return this.#listeners.has(id);
  }

  ids(): JobId[] {
    return [...this.#listeners.keys()];
  }

  tell(id: JobId, state: JobState): void {
    for (const listener of this.#listeners.get(id) ?? []) listener(state);
  }
}
