import { Calibrations, readModels, readPricing } from '@preflight/api';
import type { Config } from '@preflight/runtime';
import { openCalibrationStore } from '@preflight/storage';

/** What is learned of models cannot be kept or asked for. Exit code 69 (EX_UNAVAILABLE of sysexits). */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** What a service with the same settings has learned, open until it is closed. Throws StoreError where nothing would be kept. */
export async function openCalibrations(
  config: Config,
): Promise<{ readonly calibrations: Calibrations; close(): Promise<void> }> {
  const { cacheRedisUrl, queueRedisUrl, dataDir: directory } = config;
  if (queueRedisUrl === undefined && directory === undefined)
    throw new StoreError('PREFLIGHT_DATA_DIR is none, so that what is learned ends with each process');
  let unusable: string | undefined;
  const store = await openCalibrationStore({
    ...{ cacheRedisUrl, queueRedisUrl, directory },
    onWarning: ({ detail }) => {
      unusable = detail;
    },
  });
  if (unusable !== undefined) throw new StoreError(unusable);
  return {
    calibrations: new Calibrations(store, readModels(config.modelsFile), readPricing(config).rules),
    close: () => store.close(),
  };
}
