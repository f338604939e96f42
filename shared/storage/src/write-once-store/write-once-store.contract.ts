import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../../../test/harness/wait-for.js';
import type { WriteOnceStore } from './write-once-store.js';

const MINUTE_MS = 60_000;

/** What every adapter must do. `open` gives an empty store. */
export function describeWriteOnceStore(name: string, open: () => Promise<WriteOnceStore>): void {
  describe(`${name} as a write-once store`, () => {
    let store: WriteOnceStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    test('knows nothing at first', async () => {
      expect(await store.get('job')).toBeUndefined();
    });

    test.each([0, 500, 5_000_000])('gives back %d bytes', async (sizeBytes) => {
      const bytes = randomBytes(sizeBytes);
      expect(await store.putOnce('job', bytes, MINUTE_MS)).toBe(true);
      expect((await store.get('job'))?.equals(bytes)).toBe(true);
      expect(await store.get('other')).toBeUndefined();
    });

    test('the first value stands, whoever comes later', async () => {
      expect(await store.putOnce('job', Buffer.from('first'), MINUTE_MS)).toBe(true);
      expect(await store.putOnce('job', Buffer.from('second'), MINUTE_MS)).toBe(false);
      expect((await store.get('job'))?.toString()).toBe('first');
    });

    test('of many that come at once exactly one stands', async () => {
      const results = Array.from({ length: 20 }, (_, index) => Buffer.alloc(100_000, index));
      const wins = await Promise.all(results.map((bytes) => store.putOnce('job', bytes, MINUTE_MS)));
      expect(wins.filter(Boolean)).toHaveLength(1);
      expect((await store.get('job'))?.equals(results[wins.indexOf(true)] as Buffer)).toBe(true);
    });

    test('a value is gone after its lifetime, and may be written again', async () => {
      await store.putOnce('job', Buffer.from('a'), 1);
      await waitFor(async () => (await store.get('job')) === undefined);
      expect(await store.putOnce('job', Buffer.from('b'), MINUTE_MS)).toBe(true);
    });

    test('a lifetime can be ended sooner', async () => {
      await store.putOnce('job', Buffer.from('a'), MINUTE_MS);
      await store.expireIn('job', 1);
      await store.expireIn('unknown', 1);
      await waitFor(async () => (await store.get('job')) === undefined);
    });

    test('who expects a value is told of it, once, if it is told there', async () => {
      const [mine, elsewhere] = [store.expect('mine'), store.expect('elsewhere')];
      const told: string[] = [];
      void elsewhere.arrival.then(() => told.push('elsewhere'));
      // What is told before the store listens is lost.
      await waitFor(async () => {
        const name = `trial-${Math.random()}`;
        const expected = store.expect(name);
        await store.putOnce(name, Buffer.from('a'), MINUTE_MS, store.address);
        const outcome = await Promise.race([
          expected.arrival,
          new Promise((resolve) => setTimeout(resolve, 50)),
        ]);
        expected.forget();
        return outcome !== undefined;
      });
      await store.putOnce('elsewhere', Buffer.from('b'), MINUTE_MS, 'another address');
      await store.putOnce('mine', Buffer.from('c\nd'), MINUTE_MS, store.address);
      expect((await mine.arrival)?.toString()).toBe('c\nd');
      expect(told).toEqual([]);
      // Of what is large only that it is there.
      for (const [name, sizeBytes] of [['large', 100_000] as const, ['in pieces', 1_000_000] as const]) {
        const large = store.expect(name);
        await store.putOnce(name, Buffer.alloc(sizeBytes), MINUTE_MS, store.address);
        expect(await large.arrival).toBeUndefined();
        expect(await store.get(name)).toHaveLength(sizeBytes);
      }
    });
  });
}
