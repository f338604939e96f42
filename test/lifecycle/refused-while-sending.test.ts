import { expect, onTestFinished, test } from 'vitest';
import { get, post } from '../harness/http.js';
import { expectProblem } from '../harness/problems.js';
import { headOfPost, RawConnection } from '../harness/raw-connection.js';
import { peakResidentBytes, residentBytes } from '../harness/resident-bytes.js';
import { startServer } from '../harness/server-process.js';
import { waitFor } from '../harness/wait-for.js';

const MIB = 1024 * 1024;
const mebibyte = Buffer.alloc(MIB, ' ');

/** Sends a body to its end, as fast as it is taken, and looks at the answer only then, as many clients do. */
async function sendThenRead(connection: RawConnection, mebibytes: number): Promise<void> {
  connection.socket.pause();
  for (let sent = 0; sent < mebibytes; sent++)
    await new Promise<void>((resolve, reject) =>
      connection.socket.write(mebibyte, (error) => (error ? reject(error) : resolve())),
    );
  connection.socket.resume();
}

test('a caller who sends all of a body that is too large before it reads gets the answer', async () => {
  const server = await startServer({ PREFLIGHT_BODY_LIMIT_BYTES: String(MIB) });
  for (const length of [{ 'content-length': 60 * MIB }, { 'transfer-encoding': 'chunked' }]) {
    const connection = await RawConnection.to(server.url);
    connection.send(headOfPost('/v1/count', length));
    if ('transfer-encoding' in length) connection.send(`${(60 * MIB).toString(16)}\r\n`);
    await sendThenRead(connection, 60);
    expectProblem(await connection.answer(), 413, 'body_too_large');
    connection.socket.end();
    expect(await connection.end()).toBe('end');
  }
});

test('what is discarded takes no memory, and a body without end is cut off', async () => {
  const server = await startServer({ PREFLIGHT_BODY_LIMIT_BYTES: String(MIB) });
  const before = await residentBytes(server.child.pid as number);
  const connection = await RawConnection.to(server.url);
  connection.send(headOfPost('/v1/count', { 'content-length': 10_000 * MIB }));
  await expect(sendThenRead(connection, 10_000)).rejects.toThrow();
  const peak = await peakResidentBytes(server.child.pid as number);
  expect(peak - before).toBeLessThan(100 * MIB);
  const { status } = await post(server.url, '/v1/count', { text: 'a', encoding: 'o200k_base' });
  expect(status).toBe(200);
});

test('a caller who is refused while the service stops gets the answer too', async () => {
  const server = await startServer({});
  const held = await RawConnection.to(server.url);
  await held.beginUpload(headOfPost('/v1/count', { 'content-length': 1000 }));
  // An upload that stands still would not hold up the end.
  const sending = setInterval(() => held.send(' '), 100);
  onTestFinished(() => clearInterval(sending));
  const late = await RawConnection.to(server.url);
  await get(server.url, '/health/live');
  server.child.kill('SIGTERM');
  await waitFor(() => server.output().includes('"stopping"'), { state: server.output });
  late.send(headOfPost('/v1/count', { 'content-length': 20 * MIB }));
  await sendThenRead(late, 20);
  expectProblem(await late.answer(), 503, 'shutting_down');
  clearInterval(sending);
  held.socket.destroy();
  expect(await server.exited).toBe(0);
});
