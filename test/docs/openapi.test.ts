import { createApi } from '@preflight/api';
import type { Jobs, Work } from '@preflight/contracts';
import { createLog, readConfig } from '@preflight/runtime';
import { MemoryBatchStore, MemoryPayloadStore } from '@preflight/storage';
import { afterAll, beforeAll, expect, it } from 'vitest';

const notCalled = () => expect.fail('not called');
const noWork: Work = { preflight: notCalled, count: notCalled };
const noJobs: Jobs = {
  submit: notCalled,
  find: notCalled,
  waitUntilFinal: notCalled,
  watch: notCalled,
  cancel: notCalled,
  readBody: notCalled,
};

let api: Awaited<ReturnType<typeof createApi>>;
beforeAll(async () => {
  api = await createApi({
    work: noWork,
    jobs: noJobs,
    payloads: new MemoryPayloadStore(),
    batches: new MemoryBatchStore({ lifetimeMs: 1_000 }),
    config: readConfig({}),
    log: createLog('silent'),
  });
  await api.app.ready();
});
afterAll(() => api.stop());

it('docs/openapi.json is what the routes say (update with npm run docs)', async () => {
  const response = await api.app.inject('/openapi.json');
  await expect(`${JSON.stringify(response.json(), null, 2)}\n`).toMatchFileSnapshot(
    '../../docs/openapi.json',
  );
});
