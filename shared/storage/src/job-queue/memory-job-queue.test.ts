import { expect, test } from 'vitest';
import { waitFor } from '../../../../test/harness/wait-for.js';
import { describeJobQueue, TEST_LIMITS, type TestData } from './job-queue.contract.js';
import { MemoryJobQueue } from './memory-job-queue.js';

describeJobQueue('MemoryJobQueue', async () => new MemoryJobQueue<TestData>(TEST_LIMITS));

test('ended jobs are forgotten, by number and by time', async () => {
  const queue = new MemoryJobQueue<TestData>({ rememberCount: 2, rememberMs: 50 });
  await queue.consume(async () => {}, { concurrency: 1 }).start();
  const signal = AbortSignal.timeout(10_000);
  for (const id of ['a', 'b', 'c']) {
    await queue.add({ id, data: { n: 1 } });
    await queue.waitUntilFinal(id, signal);
  }
  expect(await queue.state('a')).toBeUndefined();
  expect(await queue.state('c')).toEqual({ status: 'completed' });
  await waitFor(async () => (await queue.state('c')) === undefined);
  expect(await queue.add({ id: 'c', data: { n: 1 } })).toBe('added');
  await queue.close();
});
