import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PreflightError } from '@preflight/core';
import type { BatchStore } from '@preflight/storage';

export interface BatchWriterOptions {
  readonly store: BatchStore;
  readonly batchId: string;
  /** So much may be stored for the reader; then its writer waits. */
  readonly limitBytes: number;
  /** How long it waits for a reader who reads nothing. */
  readonly patienceMs: number;
  /** Aborted when the service stops. */
  readonly draining: AbortSignal;
}

/** A writer that is not heard of for so long counts as gone. */
const OPEN_FOR_MS = 30_000;

const POLL_MS = 50;

/** Puts results where their reader finds them, no faster than that reads. The batch has ended when all its writers have. */
export class BatchWriter {
  readonly #options: BatchWriterOptions;
  readonly #name: string;
  readonly #heart: NodeJS.Timeout;
  #storedBytes = 0;
  #waiting: Promise<void> | undefined;

  private constructor(options: BatchWriterOptions, name: string) {
    this.#options = options;
    this.#name = name;
    const { store, batchId } = options;
    this.#heart = setInterval(() => {
      // What does not come through now comes through next time, or this writer counts as gone.
      store.open(batchId, name, OPEN_FOR_MS).catch(() => undefined);
    }, OPEN_FOR_MS / 3);
  }

  static async open(options: BatchWriterOptions): Promise<BatchWriter> {
    const name = randomUUID();
    await options.store.open(options.batchId, name, OPEN_FOR_MS);
    return new BatchWriter(options, name);
  }

  /** Rejects with `results_not_read` if nobody reads what is stored, `shutting_down`, and with the store's codes. */
  async append(record: Uint8Array): Promise<void> {
    const { store, batchId } = this.#options;
    for (;;) {
      await this.#room();
      try {
        this.#storedBytes = await store.append(batchId, record);
        return;
      } catch (error) {
        if (!(error instanceof PreflightError) || error.code !== 'overloaded') throw error;
        this.#storedBytes = Number.POSITIVE_INFINITY;
      }
    }
  }

  async end(): Promise<void> {
    clearInterval(this.#heart);
    await this.#options.store.end(this.#options.batchId, this.#name);
  }

  async #room(): Promise<void> {
    while (this.#storedBytes > this.#options.limitBytes) {
      this.#waiting ??= this.#waitForRoom().finally(() => {
        this.#waiting = undefined;
      });
      await this.#waiting;
    }
  }

  /** One waits for all. */
  async #waitForRoom(): Promise<void> {
    const { store, batchId, limitBytes, patienceMs, draining } = this.#options;
    let lowestBytes = Number.POSITIVE_INFINITY;
    let changedMs = performance.now();
    for (;;) {
      await sleep(POLL_MS);
      if (draining.aborted) throw new PreflightError('shutting_down');
      const storedBytes = (await store.state(batchId))?.storedBytes ?? 0;
      if (storedBytes < lowestBytes) changedMs = performance.now();
      lowestBytes = storedBytes;
      this.#storedBytes = storedBytes;
      if (storedBytes <= limitBytes) return;
      if (performance.now() - changedMs > patienceMs)
        throw new PreflightError('results_not_read', {
          params: { stored_bytes: storedBytes, limit_bytes: limitBytes },
        });
    }
  }
}
