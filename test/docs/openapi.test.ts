import { createApi } from '@preflight/api';
import type { Work } from '@preflight/contracts';
import { createLog, readConfig } from '@preflight/runtime';
import { MemoryPayloadStore } from '@preflight/storage';
import { afterAll, beforeAll, expect, it } from 'vitest';

const noWork: Work = {
  preflight: () => expect.fail('not called'),
  count: () => expect.fail('not called'),
  countText: () => expect.fail('not called'),
};

let api: Awaited<ReturnType<typeof createApi>>;
beforeAll(async () => {
  api = await createApi({
    work: noWork,
    payloads: new MemoryPayloadStore(),
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
