import type { CountCache, CountEntry } from './count-cache.js';
import { type CountKey, type DigestKey, isDigestKey } from './count-key.js';

export interface LayeredCountCacheOptions {
  /** So many counts may wait to be written to the second level; more are not written there. Default 20,000. */
  readonly maxPendingEntries?: number;
}

/**
 * A fast cache in front of a lasting or shared one. Only digests go to the second level. Its writes are not waited
 * for, and its failures are counted and make misses: they never fail a count.
 */
export class LayeredCountCache implements CountCache {
  readonly #first: CountCache;
  readonly #second: CountCache<DigestKey>;
  readonly #maxPendingEntries: number;
  readonly #writes = new Set<Promise<void>>();
  #pendingEntries = 0;
  #errorCount = 0;
  #skippedEntryCount = 0;

  constructor(
    levels: { readonly first: CountCache; readonly second: CountCache<DigestKey> },
    options: LayeredCountCacheOptions = {},
  ) {
    this.#first = levels.first;
    this.#second = levels.second;
    this.#maxPendingEntries = options.maxPendingEntries ?? 20_000;
  }

  /** How many calls of the second level have failed. */
  get secondLevelErrorCount(): number {
    return this.#errorCount;
  }

  /** How many counts were not written to the second level because too many were waiting. */
  get skippedEntryCount(): number {
    return this.#skippedEntryCount;
  }

  async getMany(keys: readonly CountKey[]): Promise<(number | undefined)[]> {
    const counts = await this.#first.getMany(keys);
    const missing = keys.filter(
      (key, index): key is DigestKey => counts[index] === undefined && isDigestKey(key),
    );
    if (missing.length === 0) return counts;
    const found = new Map<CountKey, number>();
    const fetched = await this.#second.getMany(missing).catch(() => {
      this.#errorCount += 1;
      return [];
    });
    fetched.forEach((count, index) => {
      if (count !== undefined) found.set(missing[index] as DigestKey, count);
    });
    if (found.size === 0) return counts;
    await this.#first.setMany([...found]);
    return counts.map((count, index) => count ?? found.get(keys[index] as CountKey));
  }

  async setMany(entries: readonly CountEntry[]): Promise<void> {
    await this.#first.setMany(entries);
    const lasting = entries.filter((entry): entry is CountEntry<DigestKey> => isDigestKey(entry[0]));
    if (lasting.length === 0) return;
    if (this.#pendingEntries + lasting.length > this.#maxPendingEntries) {
      this.#skippedEntryCount += lasting.length;
      return;
    }
    const write = this.#writeSecond(lasting);
    this.#writes.add(write);
    void write.then(() => this.#writes.delete(write));
  }

  async close(): Promise<void> {
    await Promise.all(this.#writes);
    await this.#second.close();
    await this.#first.close();
  }

  async #writeSecond(entries: readonly CountEntry<DigestKey>[]): Promise<void> {
    this.#pendingEntries += entries.length;
    try {
      await this.#second.setMany(entries);
    } catch {
      this.#errorCount += 1;
    } finally {
      this.#pendingEntries -= entries.length;
    }
  }
}
