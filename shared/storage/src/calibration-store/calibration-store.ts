import type { CalibrationSample } from '@preflight/core';

/**
 * What providers charged, model by model, for all hosts that share the store. Bounded: the newest `MAX_SAMPLES` of a model, and
 * the `MAX_MODELS` models that were heard of last.
 */
export interface CalibrationStore {
  add(model: string, sample: CalibrationSample): Promise<void>;
  /** Newest first; none of a model that nothing is known of. */
  samples(model: string): Promise<readonly CalibrationSample[]>;
  models(): Promise<readonly string[]>;
  /** Forgets a model, or all. */
  clear(model?: string): Promise<void>;
  close(): Promise<void>;
}

export const MAX_SAMPLES = 200;
export const MAX_MODELS = 1000;
