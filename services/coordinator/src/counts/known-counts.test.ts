import { getEventListeners } from 'node:events';
import { type Countable, PreflightError } from '@preflight/core';
import { MemoryCountCache } from '@preflight/storage';
import { describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../../test/harness/wait-for.js';
import { FakePool, range } from '../testing/fake-pool.js';
import { distinctTexts, type RequestText, sumParts } from '../texts/distinct-texts.js';
import { identify } from '../texts/identify.js';
import { KnownCounts, knownEncoding } from './known-counts.js';
import { SegmentCounts } from './segment-counts.js';

function start() {
  const pool = new FakePool();
  const cache = new MemoryCountCache();
  const counts = new KnownCounts({
    pool: pool.asPool(),
    cache,
    segments: new SegmentCounts({ pool: pool.asPool(), cache }),
  });
  const count = async (countables: readonly Countable[], signal?: AbortSignal) => {
    const identified = await identify(pool.asPool(), 'o200k_base', countables, { signal });
    const { texts, parts } = await distinctTexts(identified);
    return sumParts(parts, countables.length, await counts.count('o200k_base', texts, { signal }));
  };
  return { pool, cache, count, counts };
}

const large = (letter: string) => [range(letter.repeat(5000))];

describe('one request', () => {
  test('counts each text once and answers in order', async () => {
    const { pool, count } = start();
    const counted = await count([['aa'], large('b'), ['aa'], ['a', 'a'], large('b'), ['']]);
    expect(counted).toEqual({
      tokens: Int32Array.of(2, 5000, 2, 2, 5000, 0),
      hits: 3,
      misses: 3,
      missing: new Set([0, 1, 5]),
    });
    expect(pool.counted.map((texts) => [...texts].sort())).toEqual([['', 'aa', 'b'.repeat(5000)]]);
  });

  test('asks no thread for what is known', async () => {
    const { pool, count } = start();
    await count([['a'], large('b')]);
    expect(await count([large('b'), ['a']])).toMatchObject({ hits: 2, misses: 0 });
    expect(pool.counted).toHaveLength(1);
  });

  test('of nothing', async () => {
    expect(await start().count([])).toEqual({
      tokens: new Int32Array(0),
      hits: 0,
      misses: 0,
      missing: new Set(),
    });
  });

  test('of many texts goes to the cache in batches', async () => {
    const { cache, count } = start();
    const getMany = vi.spyOn(cache, 'getMany');
    const texts = Array.from({ length: 5000 }, (_, i) => [`text ${i}`]);
    const { tokens, misses } = await count(texts);
    expect([tokens[0], tokens[4999], misses]).toEqual([6, 9, 5000]);
    expect(getMany.mock.calls.length).toBeGreaterThan(1);
    expect((await count(texts)).hits).toBe(5000);
  });

  test('reads only texts that nobody has counted', async () => {
    const { counts, count } = start();
    await count([large('b')]);
    const [known] = await identify(new FakePool().asPool(), 'o200k_base', [large('b')], {});
    if (known === undefined) return expect.unreachable();
    const texts = [
      { key: known.key, read: () => expect.unreachable('it is known') },
      { key: (await identified('c')).key, read: async () => large('c') },
    ];
    expect(await counts.count('o200k_base', texts, {})).toEqual({
      counts: Int32Array.of(5000, 5000),
      isMiss: Uint8Array.of(0, 1),
    });
  });
});

test('an encoding of another version is refused', () => {
  expect(() => knownEncoding('o900k')).toThrow(expect.objectContaining({ code: 'unknown_encoding' }));
});

async function identifiedAll(countables: readonly Countable[]): Promise<readonly RequestText[]> {
  const found = await identify(new FakePool().asPool(), 'o200k_base', countables, {});
  return (await distinctTexts(found)).texts;
}

async function identified(letter: string): Promise<RequestText> {
  return (await identifiedAll([large(letter)]))[0] as RequestText;
}

describe('requests at the same time', () => {
  /** Two requests for the same large text, the first of which is counting. */
  async function two(signals: { first?: AbortSignal; second?: AbortSignal } = {}) {
    const parts = start();
    parts.pool.hold();
    const first = parts.count([large('b'), ['x']], signals.first);
    await eventually(() => expect(parts.pool.waitingCalls).toBe(1));
    const second = parts.count([large('b')], signals.second);
    // Settled as far as they can get without the pool.
    await new Promise((resolve) => setImmediate(resolve));
    return { ...parts, first, second };
  }

  test('count a large text once', async () => {
    const { pool, first, second } = await two();
    expect(pool.counted).toHaveLength(1);
    pool.resume();
    expect(await first).toMatchObject({ misses: 2 });
    expect(await second).toMatchObject({ tokens: Int32Array.of(5000), hits: 1, misses: 0 });
  });

  test('do not wait for small texts of each other', async () => {
    const { pool, count } = start();
    pool.hold();
    const first = count([large('b'), ['user']]);
    await eventually(() => expect(pool.waitingCalls).toBe(1));
    const second = count([['user']]);
    await eventually(() => expect(pool.waitingCalls).toBe(2));
    pool.resume();
    await Promise.all([first, second]);
  });

  test('hear of a count as soon as it is known, not when the other request is done', async () => {
    const { pool, cache, count } = start();
    let release = () => {};
    vi.spyOn(cache, 'setMany').mockReturnValueOnce(
      new Promise((resolve) => {
        release = resolve;
      }),
    );
    pool.hold();
    const first = count([large('b')]);
    await eventually(() => expect(pool.waitingCalls).toBe(1));
    const second = count([large('b')]);
    pool.resume();
    expect(await second).toMatchObject({ hits: 1 });
    release();
    await first;
  });

  test('the second counts itself when the first fails', async () => {
    const { pool, first, second } = await two();
    const failure = new PreflightError('internal_error');
    pool.failFirst(failure);
    await expect(first).rejects.toBe(failure);
    await eventually(() => expect(pool.waitingCalls).toBe(1));
    pool.resume();
    expect(await second).toMatchObject({ tokens: Int32Array.of(5000), hits: 0, misses: 1 });
  });

  test('the second counts itself when the first is cancelled', async () => {
    const controller = new AbortController();
    const { pool, first, second } = await two({ first: controller.signal });
    controller.abort();
    await expect(first).rejects.toMatchObject({ code: 'request_cancelled' });
    await eventually(() => expect(pool.counted).toHaveLength(2));
    pool.resume();
    expect(await second).toMatchObject({ misses: 1 });
  });

  test('of many that wait only one counts again', async () => {
    const { pool, count, first, second } = await two();
    const more = [count([large('b')]), count([large('b')])];
    await new Promise((resolve) => setImmediate(resolve));
    pool.failFirst(new PreflightError('overloaded'));
    await expect(first).rejects.toThrow();
    await eventually(() => expect(pool.waitingCalls).toBe(1));
    pool.resume();
    const results = await Promise.all([second, ...more]);
    expect(results.reduce((sum, { misses }) => sum + misses, 0)).toBe(1);
    expect(pool.counted).toHaveLength(2);
  });

  test('who is cancelled while waiting need not wait', async () => {
    const controller = new AbortController();
    const { pool, first, second } = await two({ second: controller.signal });
    const deadline = new PreflightError('deadline_exceeded');
    controller.abort(deadline);
    await expect(second).rejects.toBe(deadline);
    pool.resume();
    await first;
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('leave nothing behind: later requests find the count in the cache', async () => {
    const { pool, count, first, second } = await two();
    pool.resume();
    await Promise.all([first, second]);
    expect(await count([large('b'), ['x']])).toMatchObject({ hits: 2, misses: 0 });
    expect(pool.counted).toHaveLength(1);
  });
});
