import { MemoryCountCache } from '@preflight/storage';
import { describe, expect, test, vi } from 'vitest';
import { allCached, rememberSmall } from './cached-counts.js';
import { keysOf } from './identify.js';
import { HeldText } from './keyed-text.js';

const keys = keysOf('o200k_base');
const small = new HeldText(keys.ofText('small'), ['small']);
const large = new HeldText(keys.ofDigest('ab'.repeat(32)), ['large']);

describe('allCached', () => {
  test('knows all or nothing, and asks for small texts first', async () => {
    const cache = new MemoryCountCache();
    const getMany = vi.spyOn(cache, 'getMany');
    expect(await allCached(cache, [large, small])).toBeUndefined();
    expect(getMany.mock.calls[0]?.[0][0]).toBe(small.key);
    await cache.setMany([[small.key, 1]]);
    expect(await allCached(cache, [large, small])).toBeUndefined();
    await cache.setMany([[large.key, 7]]);
    expect(await allCached(cache, [large, small, large])).toEqual(Int32Array.of(7, 1, 7));
  });

  test('of nothing is known', async () => {
    expect(await allCached(new MemoryCountCache(), [])).toEqual(new Int32Array(0));
  });
});

test('rememberSmall leaves large texts to whoever counted them', async () => {
  const cache = new MemoryCountCache();
  await rememberSmall(cache, [large, small], Int32Array.of(7, 1));
  expect(await cache.getMany([large.key, small.key])).toEqual([undefined, 1]);
});
