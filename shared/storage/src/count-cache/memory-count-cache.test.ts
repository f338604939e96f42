import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { describeCountCache, digestKey, keys, someEntries } from './count-cache.contract.js';
import { MemoryCountCache } from './memory-count-cache.js';

describeCountCache('MemoryCountCache', async () => new MemoryCountCache());

test('stays within its bytes, and forgets what was used least recently', async () => {
  const cache = new MemoryCountCache({ maxBytes: 100_000 });
  const entries = someEntries(2_000);
  const [oldest] = entries as [(typeof entries)[0]];
  for (const entry of entries) {
    await cache.setMany([entry]);
    await cache.getMany([oldest[0]]);
    expect(cache.sizeBytes).toBeLessThanOrEqual(100_000);
  }
  const found = await cache.getMany(entries.map(([key]) => key));
  const known = found.filter((count) => count !== undefined);
  expect(known.length).toBeGreaterThan(400);
  expect(known.length).toBeLessThan(700);
  expect(found[0]).toBe(0);
  expect(found[1]).toBeUndefined();
  expect(found.at(-1)).toBe(1_999);
});

test('keeps small texts by themselves', async () => {
  const cache = new MemoryCountCache();
  await cache.setMany([[keys.ofText('hello'), 1]]);
  expect(await cache.getMany([keys.ofText('hello'), keys.ofText('hello ')])).toEqual([1, undefined]);
});

/** Collects garbage now, without a flag on the command line. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

test('accounts for at least the memory that entries take', () => {
  const cache = new MemoryCountCache({ maxBytes: 2 ** 32 });
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  // Just above a power of two, where V8's tables have doubled, so that an entry takes the most.
  for (let i = 0; i < 135_000; i += 1) void cache.setMany([[digestKey(String(i)), i]]);
  collectGarbage();
  const usedBytes = process.memoryUsage().heapUsed - before;
  expect(usedBytes).toBeLessThan(cache.sizeBytes);
  expect(usedBytes).toBeGreaterThan(cache.sizeBytes / 2);
});
