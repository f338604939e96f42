import { expect, test } from 'vitest';
import { get, post } from '../harness/http.js';
import { canonicalJson, oracleCount } from '../harness/oracle.js';
import { seededBytes } from '../harness/seeded-texts.js';
import { startServer } from '../harness/server-process.js';

const ATTACHMENT_BYTES = 20_000_000;

test('a 20 MB attachment is counted right, and the process answers all the while', async () => {
  const server = await startServer();
  // One stretch over and over, so that tiktoken need not count all of it; its ends make the stretches independent.
  const stretch = Buffer.from('++++'.repeat(8), 'base64');
  const block = Buffer.concat([stretch, seededBytes(99_960), stretch]).subarray(0, 99_999);
  const file = (times: number) => ({
    type: 'file',
    file: {
      filename: 'large.bin',
      file_data: `data:application/octet-stream;base64,${Buffer.concat(Array.from({ length: times }, () => block)).toString('base64')}`,
    },
  });
  const times = Math.ceil(ATTACHMENT_BYTES / block.length);
  const payload = { encoding: 'o200k_base', messages: [{ role: 'user', content: [file(times)] }] };

  let isOver = false;
  const counting = post(server.url, '/v1/count', payload).finally(() => {
    isOver = true;
  });
  let answers = 0;
  while (!isOver) {
    const { body } = await get(server.url, '/health/live');
    expect(body).toEqual({ status: 'live' });
    answers += 1;
  }
  const { status, body } = await counting;
  expect(status).toBe(200);
  expect(answers).toBeGreaterThan(10);

  const [one, two, three] = [1, 2, 3].map((n) => oracleCount('o200k_base', canonicalJson(file(n))));
  const each = (two ?? 0) - (one ?? 0);
  expect((three ?? 0) - (two ?? 0), 'stretches are independent').toBe(each);
  expect(body.messages[0].attachment_tokens).toBe((one ?? 0) + (times - 1) * each);
});
