import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../../../test/harness/wait-for.js';
import type { Digest, PayloadStore } from './payload-store.js';

const MINUTE_MS = 60_000;

export function digestOf(bytes: Uint8Array): Digest {
  return createHash('sha256').update(bytes).digest('hex');
}

export function payload(sizeBytes: number): { bytes: Buffer; digest: Digest } {
  const bytes = randomBytes(sizeBytes);
  return { bytes, digest: digestOf(bytes) };
}

async function* inChunks(bytes: Buffer, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** What every adapter must do. `open` gives an empty store. */
export function describePayloadStore(name: string, open: () => Promise<PayloadStore>): void {
  describe(`${name} as a payload store`, () => {
    let store: PayloadStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const isHere = async (digest: Digest) => (await store.has([digest]))[0];

    test('knows nothing at first', async () => {
      const { digest } = payload(10);
      expect(await store.has([])).toEqual([]);
      expect(await store.has([digest])).toEqual([false]);
      expect(await store.get(digest)).toBeUndefined();
      expect(await store.lease('job', [digest], MINUTE_MS)).toEqual([digest]);
      expect(await store.keep(digest, MINUTE_MS)).toBe(false);
      await store.release(['job']);
    });

    test.each([0, 1, 1024, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 7_000_000])(
      'gives back %d bytes, in shared memory',
      async (sizeBytes) => {
        const { bytes, digest } = payload(sizeBytes);
        await store.put(digest, bytes, { lifetimeMs: MINUTE_MS });
        const found = await store.get(digest);
        expect(found?.buffer).toBeInstanceOf(SharedArrayBuffer);
        expect(found?.equals(bytes)).toBe(true);
      },
    );

    test.each([0, 1, 2 ** 19, 2 ** 19 + 1, 2 ** 20, 3_000_001])(
      'takes %d bytes as a stream',
      async (sizeBytes) => {
        const { bytes, digest } = payload(sizeBytes);
        const announced = [undefined, sizeBytes, 2 * sizeBytes][sizeBytes % 3];
        await store.putStream(digest, inChunks(bytes, 100_003), {
          lifetimeMs: MINUTE_MS,
          sizeBytes: announced,
        });
        expect((await store.get(digest))?.equals(bytes)).toBe(true);
        await store.lease('job', [digest], MINUTE_MS);
        await store.release(['job']);
        expect(await isHere(digest)).toBe(true);
      },
    );

    test('a stream that ends by an error leaves nothing behind', async () => {
      const { bytes, digest } = payload(2_000_000);
      const before = (await store.figures()).usedBytes;
      async function* broken() {
        yield* inChunks(bytes, 65_536);
        throw new RangeError('not what was announced');
      }
      const putting = store.putStream(digest, broken(), { lifetimeMs: MINUTE_MS });
      await expect(putting).rejects.toThrow(RangeError);
      expect(await isHere(digest)).toBe(false);
      await waitFor(async () => (await store.figures()).usedBytes - before < 1_000_000);
    });

    test('the same bytes from several streams at a time are one payload', async () => {
      const { bytes, digest } = payload(1_500_000);
      const put = () => store.putStream(digest, inChunks(bytes, 65_536), { lifetimeMs: MINUTE_MS });
      await Promise.all([put(), put(), put()]);
      expect((await store.get(digest))?.equals(bytes)).toBe(true);
    });

    test('takes a view of shared memory, and does not change with the caller’s buffer', async () => {
      const shared = Buffer.from(new SharedArrayBuffer(100), 10, 50);
      shared.fill('a');
      const own = Buffer.from('own bytes');
      await store.put(digestOf(shared), shared, { lifetimeMs: MINUTE_MS });
      await store.put(digestOf(own), own, { lifetimeMs: MINUTE_MS });
      const digest = digestOf(own);
      own.fill(0);
      expect((await store.get(digestOf(shared)))?.toString()).toBe('a'.repeat(50));
      expect((await store.get(digest))?.toString()).toBe('own bytes');
    });

    test('answers in the order of the digests', async () => {
      const [a, b] = [payload(10), payload(20)];
      await store.put(a.digest, a.bytes, { lifetimeMs: MINUTE_MS });
      expect(await store.has([b.digest, a.digest, b.digest])).toEqual([false, true, false]);
      expect(await store.lease('job', [b.digest, a.digest], MINUTE_MS)).toEqual([b.digest]);
    });

    test('the last lease that is released takes the payload with it', async () => {
      const { bytes, digest } = payload(100);
      await store.put(digest, bytes, { lease: 'one', lifetimeMs: MINUTE_MS });
      expect(await store.lease('two', [digest], MINUTE_MS)).toEqual([]);
      await store.release(['one']);
      expect(await isHere(digest)).toBe(true);
      await store.release(['one']);
      expect(await isHere(digest)).toBe(true);
      await store.release(['two']);
      expect(await isHere(digest)).toBe(false);
      expect(await store.get(digest)).toBeUndefined();
    });

    test('an upload outlives the leases', async () => {
      const { bytes, digest } = payload(100_000);
      await store.put(digest, bytes, { lifetimeMs: MINUTE_MS });
      await store.put(digest, bytes, { lease: 'job', lifetimeMs: MINUTE_MS });
      await store.release(['job']);
      expect(await isHere(digest)).toBe(true);
    });

    test('a payload goes when the time of its last holder is over', async () => {
      const { bytes, digest } = payload(100);
      await store.put(digest, bytes, { lifetimeMs: 1 });
      await waitFor(async () => !(await isHere(digest)));
      await store.put(digest, bytes, { lease: 'job', lifetimeMs: 1 });
      await waitFor(async () => !(await isHere(digest)));
      expect(await store.get(digest)).toBeUndefined();
    });

    test('a shorter hold never shortens a longer one', async () => {
      const { bytes, digest } = payload(100);
      await store.put(digest, bytes, { lease: 'job', lifetimeMs: MINUTE_MS });
      await store.put(digest, bytes, { lease: 'other', lifetimeMs: 1 });
      await store.lease('job', [digest], 1);
      await store.keep(digest, 1);
      const brief = payload(10);
      await store.put(brief.digest, brief.bytes, { lifetimeMs: 5 });
      await waitFor(async () => !(await isHere(brief.digest)));
      expect(await isHere(digest)).toBe(true);
      await store.release(['job']);
      await waitFor(async () => !(await isHere(digest)));
    });

    test('the same bytes from many at a time are one payload', async () => {
      const { bytes, digest } = payload(3_000_000);
      const jobs = Array.from({ length: 8 }, (_, index) => `job-${index}`);
      await Promise.all(jobs.map((lease) => store.put(digest, bytes, { lease, lifetimeMs: MINUTE_MS })));
      expect((await store.get(digest))?.equals(bytes)).toBe(true);
      await store.release(jobs.slice(1));
      expect(await isHere(digest)).toBe(true);
      await store.release(['job-0']);
      expect(await isHere(digest)).toBe(false);
    });

    test.each([0, 500, 3_000_000])('%d bytes that one job alone needs, under its id', async (sizeBytes) => {
      const { bytes, digest } = payload(sizeBytes);
      await store.putOwn('job', bytes, MINUTE_MS);
      await store.putOwn('job', bytes, MINUTE_MS);
      const found = await store.getOwn('job');
      expect(found?.equals(bytes)).toBe(true);
      expect(await store.getOwn('other')).toBeUndefined();
      expect(await isHere(digest)).toBe(false);
      await store.release(['other']);
      expect(await store.getOwn('job')).toBeDefined();
      await store.release(['job']);
      expect(await store.getOwn('job')).toBeUndefined();
    });

    test('what is a job’s own goes when its time is over', async () => {
      await store.putOwn('job', Buffer.from('a'), 1);
      await waitFor(async () => (await store.getOwn('job')) === undefined);
    });

    test('hundreds of jobs are released at a time, also those that hold hundreds', async () => {
      const payloads = Array.from({ length: 400 }, () => payload(16));
      const digests = payloads.map(({ digest }) => digest);
      const jobs = Array.from({ length: 700 }, (_, i) => `job-${i}`);
      await Promise.all(jobs.map((job) => store.putOwn(job, Buffer.from(job), MINUTE_MS)));
      const lease = 'job-0';
      await Promise.all(
        payloads.map(({ digest, bytes }) => store.put(digest, bytes, { lease, lifetimeMs: MINUTE_MS })),
      );
      for (const job of ['job-1', 'job-699']) await store.lease(job, digests, MINUTE_MS);
      await store.release(jobs.slice(0, -1));
      const owns = await Promise.all(jobs.map((job) => store.getOwn(job)));
      expect(owns.map((own) => own?.toString())).toEqual([...Array(699).fill(undefined), 'job-699']);
      expect((await store.has(digests)).every(Boolean)).toBe(true);
      await store.release(['job-699']);
      expect((await store.has(digests)).some(Boolean)).toBe(false);
    });

    test('a job may hold thousands', async () => {
      const payloads = Array.from({ length: 1_200 }, () => payload(16));
      const digests = payloads.map(({ digest }) => digest);
      await Promise.all(
        payloads.map(({ digest, bytes }) => store.put(digest, bytes, { lifetimeMs: MINUTE_MS, lease: 'a' })),
      );
      expect(await store.lease('b', digests, MINUTE_MS)).toEqual([]);
      await store.release(['a']);
      expect((await store.has(digests)).every(Boolean)).toBe(true);
      await store.release(['b']);
      expect((await store.has(digests)).some(Boolean)).toBe(false);
    });

    test('tells how full it is', async () => {
      const { bytes, digest } = payload(1_000_000);
      const before = (await store.figures()).usedBytes;
      await store.put(digest, bytes, { lifetimeMs: MINUTE_MS });
      expect((await store.figures()).usedBytes - before).toBeGreaterThan(900_000);
    });
  });
}
