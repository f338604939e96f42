import { beforeAll, describe, expect, test } from 'vitest';
import { vectors } from '../conformance/langroid-vectors.js';
import { atEndOfFile } from '../harness/at-end-of-file.js';
import { DistributedWorld } from '../harness/distributed.js';
import { post } from '../harness/http.js';
import { expectVectorAnswer, vectorRequest } from '../harness/http-vectors.js';

let url: string;
beforeAll(async () => {
  const world = await DistributedWorld.start(atEndOfFile);
  const [api] = await Promise.all([world.startApi(), world.startCoordinator()]);
  url = api.url;
});

test('all 395 vectors are there', () => {
  expect(vectors).toHaveLength(395);
});

describe('langroid-overflow.jsonl with API and coordinator apart', () => {
  test.each(vectors.map((vector) => [vector.id, vector] as const))('%s', async (_id, vector) => {
    expectVectorAnswer(await post(url, '/v1/preflight', vectorRequest(vector)), vector);
  });
});
