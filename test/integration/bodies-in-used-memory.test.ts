import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';
import { seededBytes } from '../harness/seeded-texts.js';

const api = await startApi();

/** Bodies of one size, so that each comes into the memory of the one before; files that differ in their middle alone. */
const bodyWith = (seed: string, mimeType: string) => {
  const file = seededBytes(600_000);
  createHash('sha256').update(seed).digest().copy(file, 300_000);
  const file_data = `data:${mimeType};base64,${file.toString('base64')}`;
  return {
    model: 'gpt-4o',
    messages: [{ role: 'user', content: [{ type: 'file', file: { filename: 'a', file_data } }] }],
  };
};

test('what is digested while a body comes is that of this body', async () => {
  const seeds = ['a', 'b', 'c', 'b', 'a'];
  const hits: number[] = [];
  for (const seed of seeds) {
    const body = bodyWith(seed, 'application/pdf');
    const { body: answer } = await post(api.url, '/v1/count', body);
    const canonical = JSON.stringify({
      file: { file_data: body.messages[0]?.content[0]?.file.file_data, filename: 'a' },
      type: 'file',
    });
    const [tokens] = await api.pool.countAll('o200k_base', [[canonical]]);
    expect(answer.messages[0].attachment_tokens).toBe(tokens);
    hits.push(answer.cache.misses);
  }
  // The file alone is new each time, until it comes again.
  expect(hits.map((misses) => misses > 0)).toEqual([true, true, true, false, false]);
});
