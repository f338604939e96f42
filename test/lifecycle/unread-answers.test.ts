import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { metricsOf } from '../harness/metrics.js';
import { RawConnection } from '../harness/raw-connection.js';
import { startServer } from '../harness/server-process.js';
import { waitFor } from '../harness/wait-for.js';

const MIB = 1024 * 1024;

test('an answer that its caller never reads is dropped, noted, and its memory given to others', async () => {
  const limit = String(16 * MIB);
  const server = await startServer({
    PREFLIGHT_BODY_LIMIT_BYTES: limit,
    PREFLIGHT_QUEUE_LIMIT_BYTES: limit,
    PREFLIGHT_DEADLINE_MS: '1000',
  });
  const payload = {
    encoding: 'o200k_base',
    context_window: 1_000_000_000,
    messages: [{ role: 'user', content: 'a b '.repeat(3 * MIB) }],
    return: 'conversation',
  };
  const connection = await RawConnection.to(server.url);
  connection.socket.pause();
  connection.post('/v1/preflight', JSON.stringify(payload));
  const heldBytes = async () => (await metricsOf(server.url)).get('preflight_held_bytes{what="held"}') ?? 0;
  await waitFor(async () => (await heldBytes()) > 12 * MIB, { what: 'the memory to be taken' });
  await waitFor(() => server.output().includes('answer not taken'), { state: server.output });
  await waitFor(async () => (await heldBytes()) === 0, { what: 'the memory to be free' });
  const other = await post(server.url, '/v1/count', {
    text: 'a b '.repeat(3 * MIB),
    encoding: 'o200k_base',
  });
  expect(other.status).toBe(200);
  expect(server.output()).not.toContain('a b a b');
});
