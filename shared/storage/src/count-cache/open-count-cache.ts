import type { CountCache } from './count-cache.js';
import { LayeredCountCache } from './layered-count-cache.js';
import { LmdbCountCache } from './lmdb-count-cache.js';
import { MemoryCountCache } from './memory-count-cache.js';

export interface OpenCountCacheOptions {
  /** Where counts are kept over restarts; without it they live in memory only. */
  readonly directory?: string | undefined;
  /** Bound of the counts in memory. Default 64 MiB. */
  readonly memoryBytes?: number | undefined;
  /** Bound of the counts in the directory. Default 256 MiB. */
  readonly directoryBytes?: number | undefined;
  /** Told at most once, if the directory cannot be used. */
  readonly onWarning: (warning: CountCacheWarning) => void;
}

export interface CountCacheWarning {
  readonly code: 'count_cache_in_memory_only';
  /** For the operator. */
  readonly detail: string;
  readonly cause: unknown;
}

/**
 * The count cache of a single host: memory in front of a directory. Never fails: where lmdb cannot be loaded, or the
 * directory cannot be used or holds a damaged file, counts live in memory only, and one warning says so.
 */
export async function openCountCache(options: OpenCountCacheOptions): Promise<CountCache> {
  const { directory, memoryBytes, directoryBytes, onWarning } = options;
  const first = new MemoryCountCache(memoryBytes === undefined ? {} : { maxBytes: memoryBytes });
  if (directory === undefined) return first;
  try {
    const second = await LmdbCountCache.open({
      directory,
      ...(directoryBytes === undefined ? {} : { maxBytes: directoryBytes }),
    });
    return new LayeredCountCache({ first, second });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    onWarning({
      code: 'count_cache_in_memory_only',
      detail: `Counts are not kept over a restart, since ${directory} cannot be used: ${reason}`,
      cause,
    });
    return first;
  }
}
