import type { JobProgress } from './job-queue.js';

/** Sends progress one at a time; what comes while one is on its way is replaced by what comes later. Never fails. */
export class LatestProgress {
  readonly #send: (progress: JobProgress) => Promise<void>;
  #next: JobProgress | undefined;
  #sending: Promise<void> | undefined;

  constructor(send: (progress: JobProgress) => Promise<void>) {
    this.#send = send;
  }

  tell(progress: JobProgress): void {
    this.#next = progress;
    this.#sending ??= this.#sendAll();
  }

  /** All that was told is sent, so that nothing comes after the end of the job. */
  async told(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#next) {
      const progress = this.#next;
      this.#next = undefined;
      await this.#send(progress).catch(() => {});
    }
    this.#sending = undefined;
  }
}
