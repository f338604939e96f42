import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CountCache, CountEntry } from './count-cache.js';
import { CountKeys, type DigestKey } from './count-key.js';

export const keys = new CountKeys({ encoding: 'o200k_base', vocabularyVersion: '1' });

export function digestKey(text: string, of: CountKeys = keys): DigestKey {
  return of.ofDigest(createHash('sha256').update(text).digest());
}

export function someEntries(count: number, prefix = 'text'): CountEntry<DigestKey>[] {
  return Array.from({ length: count }, (_, index) => [digestKey(`${prefix} ${index}`), index]);
}

/** What every adapter must do. `open` gives an empty cache; whatever it needs is its own affair. */
export function describeCountCache(name: string, open: () => Promise<CountCache<DigestKey>>): void {
  describe(`${name} as a count cache`, () => {
    let cache: CountCache<DigestKey>;
    beforeEach(async () => {
      cache = await open();
    });
    afterEach(() => cache.close());

    test('knows nothing at first', async () => {
      expect(await cache.getMany([])).toEqual([]);
      expect(await cache.getMany([digestKey('a'), digestKey('b')])).toEqual([undefined, undefined]);
    });

    test('answers in the order of the keys, repeated ones too', async () => {
      await cache.setMany([
        [digestKey('a'), 1],
        [digestKey('b'), 2],
      ]);
      const asked = ['b', 'unknown', 'a', 'b'].map((text) => digestKey(text));
      expect(await cache.getMany(asked)).toEqual([2, undefined, 1, 2]);
    });

    test('keeps the last count of a key', async () => {
      await cache.setMany([[digestKey('a'), 1]]);
      await cache.setMany([[digestKey('a'), 2]]);
      expect(await cache.getMany([digestKey('a')])).toEqual([2]);
    });

    test('keeps every count there can be, and nothing else', async () => {
      const counts = [0, 1, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];
      const others = [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1];
      const entries = [...counts, ...others].map((count) => [digestKey(String(count)), count] as const);
      await cache.setMany(entries);
      const found = await cache.getMany(entries.map(([key]) => key));
      expect(found).toEqual([...counts, ...others.map(() => undefined)]);
    });

    test('tells encodings and vocabularies apart', async () => {
      const others = [
        new CountKeys({ encoding: 'cl100k_base', vocabularyVersion: '1' }),
        new CountKeys({ encoding: 'o200k_base', vocabularyVersion: '2' }),
      ];
      await cache.setMany([[digestKey('a'), 1]]);
      expect(await cache.getMany(others.map((other) => digestKey('a', other)))).toEqual([
        undefined,
        undefined,
      ]);
    });

    test('takes thousands at once, from several callers', async () => {
      const callers = ['one', 'two', 'three'].map((prefix) => someEntries(1_500, prefix));
      await Promise.all(callers.map((entries) => cache.setMany(entries)));
      for (const entries of callers) {
        const found = await cache.getMany(entries.map(([key]) => key));
        expect(found).toEqual(entries.map(([, count]) => count));
      }
    });
  });
}
