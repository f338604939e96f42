import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { headOfPost, RawConnection } from '../harness/raw-connection.js';
import { peakResidentBytes, residentBytes } from '../harness/resident-bytes.js';
import { startServer } from '../harness/server-process.js';

const MIB = 1024 * 1024;

test('of many bodies of many values at one time some are refused, though their bytes are far below the limit, and memory stays below six times the limit', async () => {
  const limitBytes = 128 * MIB;
  const server = await startServer({ PREFLIGHT_QUEUE_LIMIT_BYTES: String(limitBytes) });
  const messages = Array.from({ length: 33_000 }, (_, i) => ({ role: 'user', content: `hello ${i}` }));
  const payload = { encoding: 'o200k_base', context_window: 100_000_000, messages };
  expect(
    (await post(server.url, '/v1/preflight', { ...payload, messages: messages.slice(0, 9) })).status,
  ).toBe(200);
  const pid = server.child.pid as number;
  const before = await residentBytes(pid);
  const answers = await Promise.all(
    Array.from({ length: 24 }, () => post(server.url, '/v1/preflight', payload)),
  );
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  // What has been let go of is not free before V8 collects it. All 24 at once take 1.8 GB.
  const peak = await peakResidentBytes(pid);
  expect(peak - before).toBeLessThan(6 * limitBytes);
});

test('who announces much and sends nothing keeps nobody out', async () => {
  const server = await startServer({ PREFLIGHT_QUEUE_LIMIT_BYTES: String(64 * MIB) });
  const connections = await Promise.all(Array.from({ length: 20 }, () => RawConnection.to(server.url)));
  for (const connection of connections)
    connection.send(headOfPost('/v1/count', { 'content-length': 64 * MIB }));
  const { status, text } = await post(server.url, '/v1/count', {
    text: 'hello world '.repeat(MIB),
    encoding: 'o200k_base',
  });
  expect(status, text).toBe(200);
});
