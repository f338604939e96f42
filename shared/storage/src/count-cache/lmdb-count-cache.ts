import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CountCache, type CountEntry, isCount } from './count-cache.js';
import { bytesOfKey, type DigestKey } from './count-key.js';
import { LmdbFile, removeLmdbFile } from './lmdb-file.js';
import { decodeCount, encodeCount } from './stored-count.js';

export interface LmdbCountCacheOptions {
  /** Made if it is not there. Several processes may share it. */
  readonly directory: string;
  /** The files together, give or take one batch. Default 256 MiB, about 2 million counts. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;

/** A read takes 6 µs and a write 10 µs, so that a batch holds the event loop for about 5 ms. */
const BATCH_ENTRIES = 400;

/**
 * Counts in LMDB files, which survive restarts.
 *
 * Bounded by generations, since LMDB's files do not shrink and clearing them is what crashes lmdb-js (its issues
 * 317 and 365). Counts are written to the current file and looked up in the current and in the previous one:
 *
 *   counts-7.mdb   current    full (half of the bound) -> becomes previous, counts-8.mdb becomes current
 *   counts-6.mdb   previous   a count found here is written to the current file again -> removed when 8 is made
 *
 * So what is used stays, and what is not used for a generation or two goes. A process that lags behind another one
 * writes to an older generation until it finds that full; nobody waits for anybody.
 */
export class LmdbCountCache implements CountCache<DigestKey> {
  readonly #directory: string;
  readonly #generationBytes: number;
  readonly #pending = new Set<Promise<void>>();
  #generation = 0;
  #current: LmdbFile;
  #previous: LmdbFile | undefined;
  #isAdvancing = false;

  private constructor(options: Required<LmdbCountCacheOptions>, generation: number, current: LmdbFile) {
    this.#directory = options.directory;
    this.#generationBytes = options.maxBytes / 2;
    this.#generation = generation;
    this.#current = current;
  }

  /** Throws if lmdb cannot be loaded, or if the directory or a file cannot be used. */
  static async open({
    directory,
    maxBytes = DEFAULT_MAX_BYTES,
  }: LmdbCountCacheOptions): Promise<LmdbCountCache> {
    await mkdir(directory, { recursive: true });
    const generations = await generationsIn(directory);
    const newest = Math.max(1, ...generations);
    const current = await LmdbFile.open(pathOf(directory, newest));
    const cache = new LmdbCountCache({ directory, maxBytes }, newest, current);
    try {
      if (generations.includes(newest - 1)) {
        cache.#previous = await LmdbFile.open(pathOf(directory, newest - 1));
      }
      await cache.#removeBefore(newest - 1);
    } catch (error) {
      await cache.close();
      throw error;
    }
    return cache;
  }

  async getMany(keys: readonly DigestKey[]): Promise<(number | undefined)[]> {
    const counts: (number | undefined)[] = [];
    const aging: CountEntry<DigestKey>[] = [];
    for (const batch of batchesOf(keys)) {
      if (counts.length > 0) await nextTurn();
      for (const key of batch) {
        const bytes = bytesOfKey(key);
        let count = decodeCount(bytes, this.#current.get(bytes));
        if (count === undefined && this.#previous) {
          count = decodeCount(bytes, this.#previous.get(bytes));
          if (count !== undefined) aging.push([key, count]);
        }
        counts.push(count);
      }
    }
    // Nobody waits for it, and if it fails, the counts are still in the previous file.
    if (aging.length > 0) void this.setMany(aging).catch(() => {});
    return counts;
  }

  async setMany(entries: readonly CountEntry<DigestKey>[]): Promise<void> {
    for (const batch of batchesOf(entries.filter(([, count]) => isCount(count)))) {
      const writing = this.#write(batch);
      this.#pending.add(writing);
      await writing.finally(() => this.#pending.delete(writing));
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#pending);
    await this.#previous?.close();
    await this.#current.close();
  }

  async #write(batch: readonly CountEntry<DigestKey>[]): Promise<void> {
    await this.#current.putAll(
      batch.map(([key, count]) => {
        const bytes = bytesOfKey(key);
        return [bytes, encodeCount(bytes, count)];
      }),
    );
    if (this.#current.sizeBytes < this.#generationBytes || this.#isAdvancing) return;
    this.#isAdvancing = true;
    await this.#advance().finally(() => {
      this.#isAdvancing = false;
    });
  }

  /** Makes the next generation the current one, or the newest that another process has made. */
  async #advance(): Promise<void> {
    const next = Math.max(this.#generation + 1, ...(await generationsIn(this.#directory)));
    const current = await LmdbFile.open(pathOf(this.#directory, next));
    const dropped = this.#previous;
    this.#previous = this.#current;
    this.#current = current;
    this.#generation = next;
    await dropped?.close();
    await this.#removeBefore(next - 1);
  }

  async #removeBefore(generation: number): Promise<void> {
    for (const old of await generationsIn(this.#directory)) {
      if (old < generation) await removeLmdbFile(pathOf(this.#directory, old));
    }
  }
}

function pathOf(directory: string, generation: number): string {
  return join(directory, `counts-${generation}.mdb`);
}

async function generationsIn(directory: string): Promise<number[]> {
  const generations: number[] = [];
  for (const name of await readdir(directory)) {
    const generation = /^counts-(\d+)\.mdb$/.exec(name)?.[1];
    if (generation !== undefined) generations.push(Number(generation));
  }
  return generations;
}

function* batchesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < items.length; i += BATCH_ENTRIES) yield items.slice(i, i + BATCH_ENTRIES);
}
