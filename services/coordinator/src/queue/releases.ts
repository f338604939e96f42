import type { JobId, PayloadStore } from '@preflight/storage';

/** Short beside the time that a job takes, and long enough for many jobs to end where there are many. */
const GATHER_MS = 20;

/**
 * Lets go of what jobs held whose callers have been answered: of all that end within 20 ms by one command, since nobody
 * waits for it. What cannot be let go of, because the store is away, ends by its lifetime.
 */
export class Releases {
  readonly #payloads: PayloadStore;
  readonly #releasing = new Set<Promise<void>>();
  #ids: JobId[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(payloads: PayloadStore) {
    this.#payloads = payloads;
  }

  add(id: JobId): void {
    this.#ids.push(id);
    this.#timer ??= setTimeout(() => this.#release(), GATHER_MS);
  }

  /** Resolves when all of it has been let go of. */
  async close(): Promise<void> {
    this.#release();
    await Promise.all(this.#releasing);
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ids = this.#ids;
    this.#ids = [];
    const releasing = this.#payloads.release(ids).catch(() => undefined);
    this.#releasing.add(releasing);
    void releasing.then(() => this.#releasing.delete(releasing));
  }
}
