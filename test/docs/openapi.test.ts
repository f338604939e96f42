import { expect, it } from 'vitest';
import { get } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';

it('docs/openapi.json is what the routes say (update with npm run docs)', async () => {
  const { body } = await get((await startApi()).url, '/openapi.json');
  await expect(`${JSON.stringify(body, null, 2)}\n`).toMatchFileSnapshot('../../docs/openapi.json');
});
