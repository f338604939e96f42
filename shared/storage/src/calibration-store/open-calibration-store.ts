import { join } from 'node:path';
import type { CalibrationStore } from './calibration-store.js';
import { LmdbCalibrationStore } from './lmdb-calibration-store.js';
import { MemoryCalibrationStore } from './memory-calibration-store.js';
import { RedisCalibrationStore } from './redis-calibration-store.js';

export interface OpenCalibrationStoreOptions {
  /** The Redis of the counts, or, where they have none of their own, that of the queue. */
  readonly cacheRedisUrl?: string | undefined;
  readonly queueRedisUrl?: string | undefined;
  /** Where they are kept if no Redis keeps them; without it, in memory only. */
  readonly directory?: string | undefined;
  /** Told if the directory cannot be used. */
  readonly onWarning: (warning: CalibrationsWarning) => void;
}

export interface CalibrationsWarning {
  readonly code: 'calibrations_in_memory_only';
  /** For the operator. */
  readonly detail: string;
  readonly cause: unknown;
}

const FILE_NAME = 'calibrations.mdb';

/**
 * What providers charged, wherever counts are kept. Never fails: where lmdb cannot be loaded, or the directory cannot be used or
 * holds a damaged file, it lives in memory only, and a warning says so.
 */
export async function openCalibrationStore(options: OpenCalibrationStoreOptions): Promise<CalibrationStore> {
  const { queueRedisUrl, cacheRedisUrl = queueRedisUrl, directory, onWarning } = options;
  if (cacheRedisUrl !== undefined) return new RedisCalibrationStore(cacheRedisUrl);
  if (directory === undefined) return new MemoryCalibrationStore();
  const path = join(directory, FILE_NAME);
  try {
    return await LmdbCalibrationStore.open(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    onWarning({
      code: 'calibrations_in_memory_only',
      detail: `What is learned of models is not kept over a restart, since ${path} cannot be used: ${reason}`,
      cause,
    });
    return new MemoryCalibrationStore();
  }
}
