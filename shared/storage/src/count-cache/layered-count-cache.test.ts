import { describe, expect, test } from 'vitest';
import { describeCountCache, digestKey, keys, someEntries } from './count-cache.contract.js';
import type { CountCache } from './count-cache.js';
import type { DigestKey } from './count-key.js';
import { LayeredCountCache } from './layered-count-cache.js';
import { MemoryCountCache } from './memory-count-cache.js';

const open = (second: CountCache<DigestKey>, maxPendingEntries = 1_000) =>
  new LayeredCountCache({ first: new MemoryCountCache(), second }, { maxPendingEntries });

describeCountCache('LayeredCountCache', async () => open(new MemoryCountCache()));

/** A second level that fails, or never answers. */
function brokenCache(answer: () => Promise<never>): CountCache<DigestKey> {
  return { getMany: answer, setMany: answer, close: async () => {} };
}

describe('two levels', () => {
  test('what only the second level knows is found, and then known by the first', async () => {
    const second = new MemoryCountCache();
    await second.setMany([[digestKey('a'), 1]]);
    const cache = open(second);
    expect(await cache.getMany([digestKey('b'), digestKey('a')])).toEqual([undefined, 1]);
    await second.close();
    expect(await cache.getMany([digestKey('a')])).toEqual([1]);
  });

  test('only digests go to the second level', async () => {
    const asked: CountKeyList[] = [];
    const inner = new MemoryCountCache();
    const cache = open({
      getMany: (list) => {
        asked.push(list);
        return inner.getMany(list);
      },
      setMany: (entries) => inner.setMany(entries),
      close: () => inner.close(),
    });
    await cache.setMany([
      [keys.ofText('hello'), 1],
      [digestKey('a'), 2],
    ]);
    expect(await cache.getMany([keys.ofText('unknown'), keys.ofText('hello')])).toEqual([undefined, 1]);
    expect(asked).toEqual([]);
    expect(await inner.getMany([keys.ofText('hello'), digestKey('a')])).toEqual([undefined, 2]);
  });

  test('failures of the second level are counted and make misses', async () => {
    const cache = open(
      brokenCache(async () => {
        throw new Error('gone');
      }),
    );
    expect(await cache.getMany([digestKey('a')])).toEqual([undefined]);
    await cache.setMany([[digestKey('a'), 1]]);
    expect(await cache.getMany([digestKey('a')])).toEqual([1]);
    await cache.close();
    expect(cache.secondLevelErrorCount).toBe(2);
  });

  test('a second level that does not answer keeps no more than so many writes waiting', async () => {
    const cache = open(
      brokenCache(() => new Promise(() => {})),
      100,
    );
    for (const entry of someEntries(250)) await cache.setMany([entry]);
    expect(cache.skippedEntryCount).toBe(150);
    expect(await cache.getMany([digestKey('text 249')])).toEqual([249]);
  });
});

type CountKeyList = readonly DigestKey[];
