import type { CountCache } from '@preflight/storage';

/** A cache that remembers nothing. */
export class NeverCache implements CountCache {
  async getMany(keys: readonly string[]): Promise<undefined[]> {
    return keys.map(() => undefined);
  }
  async setMany(): Promise<void> {}
  async close(): Promise<void> {}
}
