import { expect, test } from 'vitest';
import { MemoryPayloadStore } from './memory-payload-store.js';
import { describePayloadStore, payload } from './payload-store.contract.js';

describePayloadStore('MemoryPayloadStore', async () => new MemoryPayloadStore());

test('what does not fit is refused, until something goes', async () => {
  let now = 0;
  const store = new MemoryPayloadStore({ maxBytes: 1_000, now: () => now });
  const [a, b, c] = [payload(600), payload(600), payload(400)];
  await store.put(a.digest, a.bytes, { lease: 'job', lifetimeMs: 10 });
  await expect(store.put(b.digest, b.bytes, { lifetimeMs: 10 })).rejects.toMatchObject({
    code: 'overloaded',
    params: { usedBytes: 600, neededBytes: 600, limitBytes: 1_000 },
  });
  await store.put(c.digest, c.bytes, { lifetimeMs: 100 });
  now = 20;
  await store.put(b.digest, b.bytes, { lifetimeMs: 10 });
  expect(await store.has([a.digest, b.digest, c.digest])).toEqual([false, true, true]);
  expect(await store.figures()).toEqual({ usedBytes: 1_000, limitBytes: 1_000 });
  await store.close();
});

test('bytes that are shared already are not copied', async () => {
  const store = new MemoryPayloadStore();
  const shared = Buffer.from(new SharedArrayBuffer(10));
  await store.put('digest', shared, { lifetimeMs: 1_000 });
  expect((await store.get('digest'))?.buffer).toBe(shared.buffer);
  await store.close();
});

test('what is only announced takes little room from others', async () => {
  const store = new MemoryPayloadStore({ maxBytes: 64 * 1024 * 1024 });
  const { bytes, digest } = payload(5_000_000);
  let goOn = () => {};
  const announced = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  async function* slow() {
    await announced;
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  }
  const putting = store.putStream(digest, slow(), { lifetimeMs: 1_000, sizeBytes: 64 * 1024 * 1024 });
  expect((await store.figures()).usedBytes).toBeLessThanOrEqual(1024 * 1024);
  goOn();
  await putting;
  expect((await store.figures()).usedBytes).toBe(bytes.length);
  expect((await store.get(digest))?.equals(bytes)).toBe(true);
  await store.close();
});
