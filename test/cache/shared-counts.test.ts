import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';
import { seededBytes } from '../harness/seeded-texts.js';
import { waitFor } from '../harness/wait-for.js';
import { SLOW } from '../lifecycle/large-work.js';

const { url } = await startApi();

function conversation(said: string, bytes: Buffer) {
  const file = { filename: 'a.pdf', file_data: `data:application/pdf;base64,${bytes.toString('base64')}` };
  const content = [
    { type: 'text', text: said },
    { type: 'file', file },
  ];
  return { encoding: 'o200k_base', count: 'content', messages: [{ role: 'user', content }] };
}

test('an attachment under another conversation is a hit', async () => {
  const bytes = seededBytes(300_000, 21);
  const first = await post(url, '/v1/count', conversation('What is this?', bytes));
  const second = await post(url, '/v1/count', conversation('And now?', bytes));
  expect(first.body.cache.misses).toBeGreaterThan(1);
  expect(second.body.cache.misses).toBe(1);
  expect(second.body.cache.hits).toBeGreaterThan(0);
  expect(second.body.messages[0].attachment_tokens).toBe(first.body.messages[0].attachment_tokens);
});

test('the same text twice in one conversation is counted once', async () => {
  const text = 'Said twice. '.repeat(300);
  const messages = [text, text].map((content) => ({ role: 'user', content }));
  const { body } = await post(url, '/v1/count', { encoding: 'o200k_base', count: 'content', messages });
  expect(body.cache).toEqual({ hits: 1, misses: 1 });
});

test('an encoding does not see the counts of another', async () => {
  const payload = conversation('One, two, three.', seededBytes(50_000, 22));
  const one = await post(url, '/v1/count', payload);
  const other = await post(url, '/v1/count', { ...payload, encoding: 'cl100k_base' });
  expect(other.body.cache).toEqual(one.body.cache);
});

test('identical requests at the same time count once', async () => {
  const file = { filename: 'a.pdf', content_base64: seededBytes(1_500_000, 23).toString('base64') };
  const messages = [{ role: 'user', content: null, files: [file] }];
  const payload = { encoding: 'o200k_base', count: 'content', format: 'langroid', messages };
  const answers = await Promise.all(Array.from({ length: 6 }, () => post(url, '/v1/count', payload)));
  const misses = answers.reduce((sum, { body }) => sum + body.cache.misses, 0);
  const hits = answers.reduce((sum, { body }) => sum + body.cache.hits, 0);
  expect([misses, hits]).toEqual([1, 5]);
  expect(new Set(answers.map(({ body }) => body.tokens)).size).toBe(1);
});

test('when the request that counts is cancelled, the one that waits counts itself', async () => {
  // Work that would be done before the caller leaves is not cancelled.
  const slow = await startApi(SLOW);
  const payload = conversation('Left alone', seededBytes(600_000, 24));
  const controller = new AbortController();
  let sent = 0;
  const onSent = () => {
    sent += 1;
  };
  const leaving = post(slow.url, '/v1/count', payload, { signal: controller.signal, onSent }).catch(
    () => 'left',
  );
  const staying = post(slow.url, '/v1/count', payload, { onSent });
  await waitFor(() => sent === 2, { what: 'requests that are sent' });
  await waitFor(() => slow.pool.figures().runningTasks > 0, { what: 'a busy pool' });
  controller.abort();
  expect(await leaving).toBe('left');
  expect((await staying).status).toBe(200);
});
