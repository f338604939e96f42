import { expect, test } from 'vitest';
import { describeBatchStore } from './batch-store.contract.js';
import { MemoryBatchStore } from './memory-batch-store.js';

describeBatchStore('MemoryBatchStore', async (lifetimeMs) => new MemoryBatchStore({ lifetimeMs }));

test('what does not fit is refused, until something is read or goes', async () => {
  let now = 0;
  const store = new MemoryBatchStore({ lifetimeMs: 100, maxBytes: 1_000, now: () => now });
  const record = Buffer.alloc(600);
  await store.append('one', record);
  await expect(store.append('two', record)).rejects.toMatchObject({ code: 'overloaded' });
  now = 200;
  await store.append('two', record);
  await store.forget('two', (await store.read('two', ''))[0]?.cursor as string);
  await store.append('one', record);
});
