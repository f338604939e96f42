import type { JobId, JobState } from './job-queue.js';
import { StateListeners } from './state-listeners.js';

/** How often states are looked at in case an event was lost. */
const REFRESH_MS = 1_000;

/** Tells listeners the states of jobs, read anew whenever something may have changed, and told if it has. */
export class StateFeed {
  readonly #read: (id: JobId) => Promise<JobState | undefined>;
  readonly #listeners = new StateListeners();
  readonly #timer: NodeJS.Timeout;
  /** The last state that was told, and whether one is being read, or has to be read once more. */
  readonly #told = new Map<JobId, string>();
  readonly #reading = new Map<JobId, 'once' | 'again'>();

  constructor(read: (id: JobId) => Promise<JobState | undefined>) {
    this.#read = read;
    this.#timer = setInterval(() => {
      for (const id of this.#listeners.ids()) this.refresh(id);
    }, REFRESH_MS).unref();
  }

  subscribe(id: JobId, listener: (state: JobState) => void): () => void {
    const unsubscribe = this.#listeners.add(id, listener);
    this.#told.delete(id);
    this.refresh(id);
    return () => {
      unsubscribe();
      if (!this.#listeners.has(id)) this.#told.delete(id);
    };
  }

  refresh(id: JobId): void {
    if (!this.#listeners.has(id)) return;
    if (this.#reading.has(id)) this.#reading.set(id, 'again');
    else void this.#tell(id);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #tell(id: JobId): Promise<void> {
    do {
      this.#reading.set(id, 'once');
      const state = await this.#read(id).catch(() => undefined);
      const text = JSON.stringify(state);
      if (state && this.#listeners.has(id) && this.#told.get(id) !== text) {
        this.#told.set(id, text);
        this.#listeners.tell(id, state);
      }
    } while (this.#reading.get(id) === 'again');
    this.#reading.delete(id);
  }
}
