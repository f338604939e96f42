import { MemoryCountCache } from '@preflight/storage';
import { describe, expect, test, vi } from 'vitest';
import { keysOf } from '../texts/identify.js';
import { HeldText } from '../texts/keyed-text.js';
import { allCached, rememberOthers } from './cached-counts.js';

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

describe('rememberOthers', () => {
  test.each([
    ['leaves large texts to whoever counted them', { hits: 1, misses: 1 }, [undefined, 1]],
    ['remembers all that was known elsewhere, and not here', { hits: 2, misses: 0 }, [7, 1]],
  ])('%s', async (_, figures, remembered) => {
    const cache = new MemoryCountCache();
    await rememberOthers(cache, [large, small], { counts: Int32Array.of(7, 1), cache: figures });
    expect(await cache.getMany([large.key, small.key])).toEqual(remembered);
  });
});
