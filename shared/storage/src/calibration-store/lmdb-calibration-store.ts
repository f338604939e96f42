import { dirname } from 'node:path';
import { type CalibrationSample, PreflightError } from '@preflight/core';
import { LmdbFile } from '../lmdb/lmdb-file.js';
import { makeFolder } from '../lmdb/make-folder.js';
import { type CalibrationStore, MAX_MODELS, MAX_SAMPLES } from './calibration-store.js';

/**
 * Samples in an LMDB file, which processes of one machine may share. Unlike counts, which can be counted again, what was learned
 * outlives the machine: an `add` waits for the disk, some milliseconds. Calls reject with `storage_unavailable` where the
 * disk is full or the file damaged.
 *
 *   samples/<model>   JSON, newest first
 *   heard/<model>     when the newest came, so that the model that was heard of first can be forgotten
 */
export class LmdbCalibrationStore implements CalibrationStore {
  readonly #file: LmdbFile;
  readonly #maxModels: number;

  private constructor(file: LmdbFile, maxModels: number) {
    this.#file = file;
    this.#maxModels = maxModels;
  }

  /** Makes the file if it is not there. Throws if lmdb cannot be loaded or the file not used. */
  static async open(path: string, { maxModels = MAX_MODELS } = {}): Promise<LmdbCalibrationStore> {
    await makeFolder(dirname(path));
    return new LmdbCalibrationStore(await LmdbFile.open(path, { isDurable: true }), maxModels);
  }

  async add(model: string, sample: CalibrationSample): Promise<void> {
    orUnavailable(() =>
      this.#file.transaction(() => {
        const samples = [sample, ...this.#samples(model)].slice(0, MAX_SAMPLES);
        this.#file.putAll([
          [samplesKey(model), Buffer.from(JSON.stringify(samples))],
          [heardKey(model), timeBytes(sample.atMs)],
        ]);
        this.#forget(this.#newestFirst().slice(this.#maxModels));
      }),
    );
  }

  async samples(model: string): Promise<readonly CalibrationSample[]> {
    return orUnavailable(() => this.#samples(model));
  }

  async models(): Promise<readonly string[]> {
    return orUnavailable(() => this.#newestFirst());
  }

  async clear(model?: string): Promise<void> {
    orUnavailable(() =>
      this.#file.transaction(() => this.#forget(model === undefined ? this.#newestFirst() : [model])),
    );
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #samples(model: string): readonly CalibrationSample[] {
    const [stored] = this.#file.getAll([samplesKey(model)]);
    return stored === undefined ? [] : (JSON.parse(stored.toString()) as CalibrationSample[]);
  }

  #newestFirst(): string[] {
    return this.#file
      .entriesUnder(HEARD)
      .map(([key, time]) => ({ model: key.toString('utf8', HEARD.length), atMs: time.readDoubleLE() }))
      .sort((one, other) => other.atMs - one.atMs)
      .map(({ model }) => model);
  }

  #forget(models: readonly string[]): void {
    this.#file.removeAll(models.flatMap((model) => [samplesKey(model), heardKey(model)]));
  }
}

const SAMPLES = Buffer.from('samples/');
const HEARD = Buffer.from('heard/');

function samplesKey(model: string): Buffer {
  return Buffer.concat([SAMPLES, Buffer.from(model)]);
}

function heardKey(model: string): Buffer {
  return Buffer.concat([HEARD, Buffer.from(model)]);
}

function timeBytes(atMs: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(atMs);
  return bytes;
}

function orUnavailable<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw new PreflightError('storage_unavailable', {
      internalDetail: `calibrations: ${(error as Error).message}`,
    });
  }
}
