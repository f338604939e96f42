import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../../../test/harness/wait-for.js';
import type { BatchPiece, BatchStore } from './batch-store.js';

const MINUTE_MS = 60_000;
/** Cursors have the time in them: what comes after it has a later one. */
const A_TICK_MS = 5;

/** What every adapter must do. `open` gives a store whose batches live so long. */
export function describeBatchStore(name: string, open: (lifetimeMs: number) => Promise<BatchStore>): void {
  describe(`${name} as a batch store`, () => {
    let store: BatchStore;
    let id: string;
    beforeEach(async () => {
      store = await open(MINUTE_MS);
      id = randomUUID();
    });
    afterEach(() => store.close());

    const append = (text: string) => store.append(id, Buffer.from(text));
    const textsOf = (pieces: readonly BatchPiece[]) => pieces.map(({ bytes }) => bytes.toString());
    const readAll = async () => {
      const pieces: BatchPiece[] = [];
      for (let next = await store.read(id, ''); next.length > 0; ) {
        pieces.push(...next);
        next = await store.read(id, next.at(-1)?.cursor as string);
      }
      return pieces;
    };

    test('knows nothing at first', async () => {
      expect(await store.state(id)).toBeUndefined();
      expect(await store.read(id, '')).toEqual([]);
      await store.forget(id, '1-0');
    });

    test('is open until it is ended, and may be opened again', async () => {
      await store.open(id, 'writer', MINUTE_MS);
      expect(await store.state(id)).toEqual({ storedBytes: 0, isEnded: false });
      await store.end(id, 'writer');
      expect(await store.state(id)).toMatchObject({ isEnded: true });
      await store.open(id, 'writer', MINUTE_MS);
      expect(await store.state(id)).toMatchObject({ isEnded: false });
    });

    test('is open as long as one of several writes', async () => {
      await store.open(id, 'first', MINUTE_MS);
      await store.open(id, 'second', MINUTE_MS);
      await store.open(id, 'lost', 1);
      await store.end(id, 'first');
      await store.end(id, 'first');
      expect(await store.state(id)).toMatchObject({ isEnded: false });
      await store.end(id, 'second');
      await waitFor(async () => (await store.state(id))?.isEnded);
    });

    test('counts as ended when who writes it is not heard of', async () => {
      await store.open(id, 'writer', 1);
      await waitFor(async () => (await store.state(id))?.isEnded);
    });

    test('gives records in order, from any cursor on, as often as they are asked for', async () => {
      await store.open(id, 'writer', MINUTE_MS);
      for (let i = 0; i < 50; i++) await append(`record ${i}`);
      const pieces = await readAll();
      expect(textsOf(pieces)).toEqual(Array.from({ length: 50 }, (_, i) => `record ${i}`));
      expect(pieces.every(({ isFirst }) => isFirst)).toBe(true);
      const [next] = await store.read(id, pieces[9]?.cursor as string);
      expect(next?.bytes.toString()).toBe('record 10');
    });

    test('a long record has several pieces, of which one is the first', async () => {
      const record = randomBytes(1_300_000);
      await store.append(id, record);
      await append('another');
      const pieces = await readAll();
      expect(pieces.map(({ isFirst }) => isFirst)).toEqual([true, false, false, true]);
      expect(Buffer.concat(pieces.slice(0, 3).map(({ bytes }) => bytes)).equals(record)).toBe(true);
    });

    test('records that come at the same time stay whole', async () => {
      const records = Array.from({ length: 6 }, (_, i) => Buffer.alloc(1_200_000, `${i}`));
      await Promise.all(records.map((record) => store.append(id, record)));
      const read = Buffer.concat((await readAll()).map(({ bytes }) => bytes));
      const parts = records.map((_, i) => read.subarray(i * 1_200_000, (i + 1) * 1_200_000));
      expect(read.length).toBe(6 * 1_200_000);
      for (const record of records) expect(parts.some((part) => part.equals(record))).toBe(true);
    });

    test('tells how much is stored, and what is forgotten is gone, once', async () => {
      await store.open(id, 'writer', MINUTE_MS);
      await append('a'.repeat(1_000));
      const storedBytes = await append('b'.repeat(1_000));
      expect(storedBytes).toBeGreaterThanOrEqual(2_000);
      expect(await store.state(id)).toEqual({ storedBytes, isEnded: false });
      const [first] = await store.read(id, '');
      await store.forget(id, first?.cursor as string);
      await store.forget(id, first?.cursor as string);
      expect(await store.state(id)).toMatchObject({ storedBytes: storedBytes / 2 });
      expect(textsOf(await store.read(id, ''))).toEqual(['b'.repeat(1_000)]);
      expect(textsOf(await store.read(id, first?.cursor as string))).toEqual(['b'.repeat(1_000)]);
    });

    test('tells a cursor that was reached from one that was not', async () => {
      await store.open(id, 'writer', MINUTE_MS);
      expect(await store.hasReached(id, '')).toBe(true);
      await append('one');
      await append('two');
      const [first, last] = (await readAll()).map(({ cursor }) => cursor) as [string, string];
      await sleep(A_TICK_MS);
      await store.append(`${id}-other`, Buffer.from('later'));
      const [later] = await store.read(`${id}-other`, '');
      for (const cursor of [first, last]) expect(await store.hasReached(id, cursor)).toBe(true);
      await store.forget(id, last);
      expect(await store.hasReached(id, last)).toBe(true);
      for (const cursor of [later?.cursor as string, '9'.repeat(20), `${'9'.repeat(20)}-9`])
        expect(await store.hasReached(id, cursor)).toBe(false);
    });

    test('a cursor of a batch that was forgotten is behind all that come since', async () => {
      await append('old');
      const [old] = await store.read(id, '');
      await sleep(A_TICK_MS);
      const again = await open(MINUTE_MS);
      const other = `${id}-again`;
      await again.open(other, 'writer', MINUTE_MS);
      expect(await again.hasReached(other, old?.cursor as string)).toBe(true);
      await again.append(other, Buffer.from('new'));
      expect(textsOf(await again.read(other, old?.cursor as string))).toEqual(['new']);
      await again.close();
    });

    test('batches know nothing of each other', async () => {
      await append('one');
      await store.append(`${id}-other`, Buffer.from('other'));
      expect(textsOf(await readAll())).toEqual(['one']);
    });

    test('a batch that nobody touches goes after its lifetime', async () => {
      const brief = await open(20);
      await brief.open(id, 'writer', MINUTE_MS);
      await brief.append(id, Buffer.from('record'));
      await waitFor(async () => (await brief.state(id)) === undefined);
      expect(await brief.read(id, '')).toEqual([]);
      await brief.close();
    });
  });
}
