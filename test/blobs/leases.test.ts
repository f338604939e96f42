import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { putBlob, referenceTo, sha256 } from '../harness/blobs.js';
import { DistributedWorld } from '../harness/distributed.js';
import { post } from '../harness/http.js';
import { waitFor } from '../harness/wait-for.js';

test('a job keeps its files beyond their lifetime, and lets go of them in the end', async () => {
  const world = await DistributedWorld.start(onTestFinished, { PREFLIGHT_BLOB_LIFETIME_MS: '1000' });
  const api = await world.startApi();
  const bytes = randomBytes(2_000_000);
  await putBlob(api.url, bytes);
  const url = referenceTo(bytes, 'image/png');
  const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
  const counting = post(api.url, '/v1/count', { model: 'gpt-4o', messages });
  await waitFor(async () => (await world.keys('jobs:wait')).length === 1, { what: 'a job that waits' });

  const holdEndsMs = await world.look((redis) =>
    redis.zscore(`{preflight}:holders:${sha256(bytes)}`, 'upload'),
  );
  expect(holdEndsMs).not.toBeNull();
  await waitFor(() =>
    world.look(async (redis) => Number((await redis.time())[0]) * 1000 > Number(holdEndsMs)),
  );
  await world.startCoordinator();
  expect((await counting).status).toBe(200);
  await waitFor(async () => (await world.keys('payload:')).length === 0, { what: 'an empty payload store' });
  expect(await world.keys('holders:')).toEqual([]);
});

test('files stand in the payload store alone, and no base64 of them', async () => {
  const world = await DistributedWorld.start(onTestFinished);
  const api = await world.startApi();
  const bytes = Buffer.from('xylophone7f3aMARKER '.repeat(5_000));
  await putBlob(api.url, bytes);
  const url = referenceTo(bytes, 'text/plain');
  const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
  const counting = post(api.url, '/v1/count', { model: 'gpt-4o', messages });
  await waitFor(async () => (await world.keys('jobs:wait')).length === 1, { what: 'a job that waits' });
  const usedBytes = await world.look(async (redis) => {
    const keys = await redis.keys('*');
    const used = await Promise.all(keys.map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
    return used.reduce<number>((sum, keyBytes) => sum + Number(keyBytes), 0);
  });
  expect(usedBytes).toBeLessThan(1.5 * bytes.length);
  await world.startCoordinator();
  expect((await counting).status).toBe(200);
});
