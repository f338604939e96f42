import { LRUCache } from 'lru-cache';
import type { ResultStore } from './result-store.js';

export interface MemoryResultStoreOptions {
  /** All results together; above it the oldest go before their time. Default 128 MiB. */
  readonly maxBytes?: number | undefined;
}

const DEFAULT_MAX_BYTES = 128 * 1024 * 1024;

/** What an entry takes besides its bytes, roughly. */
const ENTRY_OVERHEAD_BYTES = 300;

/** Results in the memory of this process. */
export class MemoryResultStore implements ResultStore {
  readonly #results: LRUCache<string, Buffer>;

  constructor({ maxBytes = DEFAULT_MAX_BYTES }: MemoryResultStoreOptions = {}) {
    this.#results = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (bytes) => bytes.length + ENTRY_OVERHEAD_BYTES,
    });
  }

  async putOnce(jobId: string, bytes: Uint8Array, lifetimeMs: number): Promise<boolean> {
    if (this.#results.has(jobId)) return false;
    this.#results.set(jobId, Buffer.from(bytes), { ttl: lifetimeMs });
    return true;
  }

  async get(jobId: string): Promise<Buffer | undefined> {
    return this.#results.get(jobId);
  }

  async close(): Promise<void> {
    this.#results.clear();
  }
}
