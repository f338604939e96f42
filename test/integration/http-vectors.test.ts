import { describe, expect, test } from 'vitest';
import { vectors } from '../conformance/langroid-vectors.js';
import { post } from '../harness/http.js';
import { expectVectorAnswer, vectorRequest } from '../harness/http-vectors.js';
import { startApi } from '../harness/in-process.js';

const { url } = await startApi();

test('all 395 vectors are there', () => {
  expect(vectors).toHaveLength(395);
});

describe('langroid-overflow.jsonl over HTTP', () => {
  test.each(vectors.map((vector) => [vector.id, vector] as const))('%s', async (_id, vector) => {
    expectVectorAnswer(await post(url, '/v1/preflight', vectorRequest(vector)), vector);
  });
});
