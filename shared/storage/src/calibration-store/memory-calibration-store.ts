import type { CalibrationSample } from '@preflight/core';
import { LRUCache } from 'lru-cache';
import { type CalibrationStore, MAX_MODELS, MAX_SAMPLES } from './calibration-store.js';

/** Samples in the memory of this process. */
export class MemoryCalibrationStore implements CalibrationStore {
  readonly #samples = new LRUCache<string, readonly CalibrationSample[]>({ max: MAX_MODELS });

  async add(model: string, sample: CalibrationSample): Promise<void> {
    const before = this.#samples.peek(model) ?? [];
    this.#samples.set(model, [sample, ...before].slice(0, MAX_SAMPLES));
  }

  async samples(model: string): Promise<readonly CalibrationSample[]> {
    return this.#samples.peek(model) ?? [];
  }

  async models(): Promise<readonly string[]> {
    return [...this.#samples.keys()];
  }

  async clear(model?: string): Promise<void> {
    if (model === undefined) this.#samples.clear();
    else this.#samples.delete(model);
  }

  async close(): Promise<void> {
    this.#samples.clear();
  }
}
