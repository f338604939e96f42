import { setImmediate as nextTurn } from 'node:timers/promises';
import { LmdbFile } from '../lmdb/lmdb-file.js';
import { makeFolder } from '../lmdb/make-folder.js';
import { type CountCache, type CountEntry, isCount } from './count-cache.js';
import { bytesOfKey, type DigestKey } from './count-key.js';
import { GenerationFiles } from './generation-files.js';
import { decodeCount, encodeCount } from './stored-count.js';

export interface LmdbCountCacheOptions {
  /** Made if it is not there. Several processes may share it. */
  readonly directory: string;
  /** The files together, give or take one batch. Default 256 MiB, about 2 million counts. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;

/** A read takes 6 µs and a write 5 to 10 µs, so that a batch holds the event loop for about 2 ms. */
const BATCH_ENTRIES = 250;

/**
 * Counts in LMDB files, which survive the process.
 *
 * Bounded by generations, since LMDB's files do not shrink and clearing them is what crashes lmdb-js (its issues
 * 317 and 365). Counts are written to the current file and looked up in the current and in the previous one:
 *
 *   generation 7   current    full (half of the bound): becomes previous, and 8 becomes current
 *   generation 6   previous   a count found here is written to the current file again; removed when 8 is made
 *
 * So what is used stays, and what is not used for a generation or two goes. A process that lags behind another one
 * writes to an older generation until it finds that full; nobody waits for anybody.
 */
export class LmdbCountCache implements CountCache<DigestKey> {
  readonly #files: GenerationFiles;
  readonly #generationBytes: number;
  /** Calls that have not ended: the files must not be closed before. */
  readonly #running = new Set<Promise<unknown>>();
  #generation: number;
  #current: LmdbFile;
  #previous: LmdbFile | undefined;
  #isAdvancing = false;

  private constructor(files: GenerationFiles, maxBytes: number, newest: Generation) {
    this.#files = files;
    this.#generationBytes = maxBytes / 2;
    this.#generation = newest.number;
    this.#current = newest.file;
  }

  /** Throws if lmdb cannot be loaded, or if the directory or a file cannot be used. */
  static async open(options: LmdbCountCacheOptions): Promise<LmdbCountCache> {
    const { directory, maxBytes = DEFAULT_MAX_BYTES } = options;
    await makeFolder(directory);
    const files = await GenerationFiles.of(directory);
    const generations = await files.list();
    const newest = generations.at(-1) ?? 1;
    const file = await LmdbFile.open(files.path(newest));
    const cache = new LmdbCountCache(files, maxBytes, { number: newest, file });
    try {
      if (generations.includes(newest - 1)) cache.#previous = await LmdbFile.open(files.path(newest - 1));
      await files.removeBefore(newest - 1);
    } catch (error) {
      await cache.close();
      throw error;
    }
    return cache;
  }

  getMany(keys: readonly DigestKey[]): Promise<(number | undefined)[]> {
    return this.#untilEnded(this.#read(keys));
  }

  setMany(entries: readonly CountEntry<DigestKey>[]): Promise<void> {
    return this.#untilEnded(this.#write(entries));
  }

  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    await this.#previous?.close();
    await this.#current.close();
  }

  async #read(keys: readonly DigestKey[]): Promise<(number | undefined)[]> {
    const counts: (number | undefined)[] = [];
    for (const batch of batchesOf(keys)) {
      if (counts.length > 0) await nextTurn();
      counts.push(...this.#readBatch(batch));
    }
    return counts;
  }

  #readBatch(keys: readonly DigestKey[]): (number | undefined)[] {
    const counts = countsIn(this.#current, keys);
    const missing = keys.filter((_, index) => counts[index] === undefined);
    if (!this.#previous || missing.length === 0) return counts;
    const aging = new Map<DigestKey, number>();
    countsIn(this.#previous, missing).forEach((count, index) => {
      if (count !== undefined) aging.set(missing[index] as DigestKey, count);
    });
    if (aging.size === 0) return counts;
    // Nobody waits for it, and if it fails, the counts are still in the previous file.
    this.setMany([...aging]).catch(() => {});
    return keys.map((key, index) => counts[index] ?? aging.get(key));
  }

  async #write(entries: readonly CountEntry<DigestKey>[]): Promise<void> {
    for (const batch of batchesOf(entries.filter(([, count]) => isCount(count)))) {
      await nextTurn();
      this.#current.putAll(
        batch.map(([key, count]) => {
          const bytes = bytesOfKey(key);
          return [bytes, encodeCount(bytes, count)];
        }),
      );
      if (this.#current.sizeBytes >= this.#generationBytes) await this.#advance();
    }
  }

  /** Makes the next generation the current one, or the newest that another process has made. */
  async #advance(): Promise<void> {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    try {
      const newest = (await this.#files.list()).at(-1) ?? 0;
      const next = Math.max(this.#generation + 1, newest);
      const current = await LmdbFile.open(this.#files.path(next));
      const dropped = this.#previous;
      this.#previous = this.#current;
      this.#current = current;
      this.#generation = next;
      await dropped?.close();
      await this.#files.removeBefore(next - 1);
    } finally {
      this.#isAdvancing = false;
    }
  }

  #untilEnded<T>(call: Promise<T>): Promise<T> {
    this.#running.add(call);
    return call.finally(() => this.#running.delete(call));
  }
}

interface Generation {
  readonly number: number;
  readonly file: LmdbFile;
}

function countsIn(file: LmdbFile, keys: readonly DigestKey[]): (number | undefined)[] {
  const bytes = keys.map(bytesOfKey);
  return file.getAll(bytes).map((stored, index) => decodeCount(bytes[index] as Buffer, stored));
}

function* batchesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < items.length; i += BATCH_ENTRIES) yield items.slice(i, i + BATCH_ENTRIES);
}
