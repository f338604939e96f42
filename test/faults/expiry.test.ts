import { expect, onTestFinished, test } from 'vitest';
import { ndjson, postBatch } from '../harness/batches.js';
import { putBlob } from '../harness/blobs.js';
import { DistributedWorld } from '../harness/distributed.js';
import { seededBytes } from '../harness/seeded-texts.js';
import { waitFor } from '../harness/wait-for.js';
import { finalAnswer, submit } from '../jobs/job-calls.js';
import { largeText, SLOW } from '../lifecycle/large-work.js';
import { faultCalls } from './fault-calls.js';

/** Long enough for a busy machine to fill the store before the first of it expires. */
const LIFETIME_MS = '15000';

/** Names of keys that hold content, or say who needs it. */
const CONTENT = ['payload:', 'holders:', 'leases:', 'upload:', 'batch:', 'batch-results:', 'result:'];

test('what the dead leave behind is gone after its lifetime, with nobody there to let go of it', async () => {
  const world = await DistributedWorld.start(onTestFinished, {
    PREFLIGHT_PAYLOAD_LIFETIME_MS: LIFETIME_MS,
    PREFLIGHT_RESULT_LIFETIME_MS: LIFETIME_MS,
    PREFLIGHT_BLOB_LIFETIME_MS: LIFETIME_MS,
    PREFLIGHT_BATCH_LIFETIME_MS: LIFETIME_MS,
    PREFLIGHT_DEADLINE_MS: '14000',
    PREFLIGHT_CONCURRENCY: '1',
    ...SLOW,
  });
  const [api, coordinator] = await Promise.all([world.startApi(), world.startCoordinator()]);
  const left = async () => (await Promise.all(CONTENT.map((start) => world.keys(start)))).flat();

  // An end that nobody asks for, results that nobody reads, a file that nobody uses.
  const { body: done } = await submit(api.url, '/v1/count', { text: 'hello', encoding: 'o200k_base' });
  await finalAnswer(api.url, done.id);
  const line = { id: 'a', encoding: 'o200k_base', text: 'a line' };
  expect((await postBatch(api.url, 'call=count', ndjson([line]))).status).toBe(202);
  expect((await putBlob(api.url, seededBytes(100_000, 1))).status).toBe(201);
  // A job in the middle of which its consumer dies, and others that nobody begins.
  const slow = { text: largeText(41), encoding: 'o200k_base' };
  expect((await submit(api.url, '/v1/count', slow)).status).toBe(202);
  await waitFor(async () => (await world.keys('jobs:active')).length === 1, { what: 'a running job' });
  coordinator.child.kill('SIGKILL');
  for (const { path, payload } of faultCalls(10, 5))
    expect((await submit(api.url, path, payload)).status).toBe(202);
  api.child.kill('SIGKILL');

  const kinds = new Set((await left()).map((name) => `${name.split(':')[0]}:`));
  expect([...kinds]).toEqual(
    expect.arrayContaining(['payload:', 'holders:', 'leases:', 'batch:', 'batch-results:', 'result:']),
  );
  let names: string[] = [];
  const isEmpty = async () => {
    names = await left();
    return names.length === 0;
  };
  await waitFor(isEmpty, {
    timeoutMs: 60_000,
    what: 'the end of all lifetimes',
    state: () => names.join(' '),
  });
});
