import type { Countable } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { FakePool, range, textOf } from '../testing/fake-pool.js';
import { identify } from './identify.js';

async function identified(countables: readonly Countable[]) {
  const pool = new FakePool();
  const items = await identify(pool.asPool(), 'o200k_base', countables, {});
  return { items, keys: items.map(({ key }) => key), digested: pool.digested };
}

describe('identify', () => {
  test('keys small texts by themselves, as they are counted, and asks no thread', async () => {
    const { keys, items, digested } = await identified([
      ['a"b'],
      ['a', '"b'],
      [{ text: 'a"b', as: 'json' }],
      ['a\\"b'],
      [],
    ]);
    expect(digested).toEqual([]);
    expect(new Set(keys).size).toBe(3);
    expect([keys[0], keys[2]]).toEqual([keys[1], keys[3]]);
    expect(items.map(({ countable }) => textOf(countable))).toEqual(['a"b', 'a"b', 'a\\"b', 'a\\"b', '']);
  });

  test('keys by digest what is large or stands in a buffer, however it is put together', async () => {
    const large = 'x'.repeat(2000);
    const { keys, digested } = await identified([[large], ['x', range(large.slice(1))], [range('small')]]);
    expect(digested).toEqual([[large, large, 'small']]);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test('measures bytes, not characters', async () => {
    const { digested } = await identified([['€'.repeat(341)], ['€'.repeat(342)]]);
    expect(digested).toEqual([['€'.repeat(342)]]);
  });

  test('of encodings differ', async () => {
    const pool = new FakePool().asPool();
    const [a] = await identify(pool, 'o200k_base', [['a']], {});
    const [b] = await identify(pool, 'cl100k_base', [['a']], {});
    expect(a?.key).not.toBe(b?.key);
  });

  test('drops instructions to rewrite only where a thread found nothing to rewrite', async () => {
    const plain: Countable = ['<', range('y'.repeat(2000)), '>'];
    const written: Countable = [{ text: range('"'.repeat(2000)), as: 'json' }];
    const { items } = await identified([plain, written]);
    expect(items.map(({ countable }) => countable)).toEqual([plain, written]);
  });

  test.each([
    ['small', { text: '*', as: 'base64' } as const],
    ['large', { text: range('*'), as: 'base64' } as const],
  ])('tells the position of %s text that is no base64 in the list given', async (_, piece) => {
    const countables: Countable[] = [['a'], [range('b')], ['c'], ['head', piece]];
    await expect(identified(countables)).rejects.toMatchObject({
      code: 'invalid_base64',
      params: { item: 3 },
    });
  });
});
