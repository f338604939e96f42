import { LRUCache } from 'lru-cache';
import { Expectations } from './expectations.js';
import { type Address, type Expected, MAX_TOLD_BYTES, type WriteOnceStore } from './write-once-store.js';

export interface MemoryWriteOnceStoreOptions {
  /** All values together; above it the oldest go before their time. Default 128 MiB. */
  readonly maxBytes?: number | undefined;
}

const DEFAULT_MAX_BYTES = 128 * 1024 * 1024;

/** What an entry takes besides its bytes, roughly. */
const ENTRY_OVERHEAD_BYTES = 300;

/** In the memory of this process. */
export class MemoryWriteOnceStore implements WriteOnceStore {
  readonly address: Address = 'here';
  readonly #values: LRUCache<string, Buffer>;
  readonly #expectations = new Expectations();

  constructor({ maxBytes = DEFAULT_MAX_BYTES }: MemoryWriteOnceStoreOptions = {}) {
    this.#values = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (bytes) => bytes.length + ENTRY_OVERHEAD_BYTES,
    });
  }

  async putOnce(name: string, bytes: Uint8Array, lifetimeMs: number, tellTo?: Address): Promise<boolean> {
    if (this.#values.has(name)) return false;
    const value = Buffer.from(bytes);
    this.#values.set(name, value, { ttl: lifetimeMs });
    if (tellTo === this.address)
      this.#expectations.tell(name, value.length <= MAX_TOLD_BYTES ? value : undefined);
    return true;
  }

  expect(name: string): Expected {
    return this.#expectations.add(name);
  }

  async get(name: string): Promise<Buffer | undefined> {
    return this.#values.get(name);
  }

  async expireIn(name: string, lifetimeMs: number): Promise<void> {
    const value = this.#values.get(name);
    if (value) this.#values.set(name, value, { ttl: lifetimeMs });
  }

  async close(): Promise<void> {
    this.#values.clear();
  }
}
