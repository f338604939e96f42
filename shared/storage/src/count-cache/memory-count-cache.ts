import { LRUCache } from 'lru-cache';
import { type CountCache, type CountEntry, isCount } from './count-cache.js';
import { type CountKey, isDigestKey } from './count-key.js';

export interface MemoryCountCacheOptions {
  /** All entries together, keys and administration included. Default 64 MiB, about 360,000 digests. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/** What an entry takes besides the characters of its key: 136 at most, measured with 135,000 to 530,000 entries. */
const ENTRY_OVERHEAD_BYTES = 144;

/** Counts in the memory of this process; the least recently used go first. */
export class MemoryCountCache implements CountCache {
  readonly #counts: LRUCache<CountKey, number>;

  constructor({ maxBytes = DEFAULT_MAX_BYTES }: MemoryCountCacheOptions = {}) {
    this.#counts = new LRUCache({ maxSize: maxBytes, sizeCalculation: (_count, key) => entryBytes(key) });
  }

  /** What the entries take, by the same calculation as the bound. */
  get sizeBytes(): number {
    return this.#counts.calculatedSize;
  }

  async getMany(keys: readonly CountKey[]): Promise<(number | undefined)[]> {
    return keys.map((key) => this.#counts.get(key));
  }

  async setMany(entries: readonly CountEntry[]): Promise<void> {
    for (const [key, count] of entries) if (isCount(count)) this.#counts.set(key, count);
  }

  async close(): Promise<void> {
    this.#counts.clear();
  }
}

/** V8 keeps a string in one byte a character or in two; which one is not worth finding out for a text. */
function entryBytes(key: CountKey): number {
  return ENTRY_OVERHEAD_BYTES + (isDigestKey(key) ? key.length : 2 * key.length);
}
