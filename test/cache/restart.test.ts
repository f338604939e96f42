import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { seededBytes } from '../harness/seeded-texts.js';
import { startServer } from '../harness/server-process.js';
import { tempDir } from '../harness/temp-dir.js';

const base64 = seededBytes(900_000).toString('base64');
const file = { filename: 'a.pdf', file_data: `data:application/pdf;base64,${base64}` };
const payload = {
  model: 'gpt-4o',
  count: 'content',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'A long text. '.repeat(500) },
        { type: 'file', file },
      ],
    },
  ],
};

test('a restart keeps the counts', async () => {
  const settings = { PREFLIGHT_DATA_DIR: await tempDir() };
  const first = await startServer(settings);
  const counted = await post(first.url, '/v1/count', payload);
  expect(counted.body.cache.misses).toBeGreaterThan(0);
  expect(await first.stop()).toBe(0);

  const second = await startServer(settings);
  const again = await post(second.url, '/v1/count', payload);
  expect(again.body.cache.misses).toBe(0);
  expect(again.body.cache.hits).toBeGreaterThan(0);
  expect(again.body.tokens).toBe(counted.body.tokens);
});

test('two servers share one data folder', async () => {
  const settings = { PREFLIGHT_DATA_DIR: await tempDir() };
  const [one, other] = await Promise.all([startServer(settings), startServer(settings)]);
  const counted = await post(one.url, '/v1/count', payload);
  expect(await one.stop()).toBe(0);
  const again = await post(other.url, '/v1/count', payload);
  expect(again.body.cache.misses).toBe(0);
  expect(again.body.cache.hits).toBeGreaterThan(0);
  expect(again.body.tokens).toBe(counted.body.tokens);
});
