import type { CountKey } from './count-key.js';

/**
 * Token counts that were found before, by key. A cache may forget whatever it likes, and makes an answer faster or
 * slower, never different: what it gives is a count that was set under this very key.
 *
 * A second level is a `CountCache<DigestKey>`: small texts stay in memory.
 */
export interface CountCache<Key extends CountKey = CountKey> {
  /** The counts of the keys, in their order; undefined where none is known. */
  getMany(keys: readonly Key[]): Promise<(number | undefined)[]>;
  /** Keeps counts. What is no count (see isCount) is left out. */
  setMany(entries: readonly CountEntry<Key>[]): Promise<void>;
  /** Finishes what is being written and lets go of files and connections. The cache is not used any more. */
  close(): Promise<void>;
}

export type CountEntry<Key extends CountKey = CountKey> = readonly [key: Key, tokenCount: number];

/** Whether a value read from a store can be a number of tokens. */
export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
