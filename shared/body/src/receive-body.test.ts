import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { PreflightError } from '@preflight/core';
import { expect, test } from 'vitest';
import { receiveBody } from './receive-body.js';

const chunks = (...texts: string[]) => Readable.from(texts.map((text) => Buffer.from(text)));

test.each([undefined, 11, 5, 100, 0, Number.NaN])(
  'collects all chunks with content length %s',
  async (length) => {
    const body = await receiveBody(chunks('hello', ' ', 'world'), {
      limitBytes: 1000,
      contentLength: length,
    });
    expect(body.toString()).toBe('hello world');
    expect(body.buffer).toBeInstanceOf(SharedArrayBuffer);
  },
);

test('an empty stream is an empty body', async () => {
  expect(await receiveBody(chunks(), { limitBytes: 0 })).toHaveLength(0);
});

test('grows to megabytes, and a body of exactly the limit is taken', async () => {
  const chunk = Buffer.alloc(65_521, 'x');
  const stream = Readable.from(Array.from({ length: 50 }, () => chunk));
  const body = await receiveBody(stream, { limitBytes: 50 * chunk.length });
  expect(body).toEqual(Buffer.alloc(50 * chunk.length, 'x'));
});

async function refusalOf(promise: Promise<unknown>): Promise<PreflightError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof PreflightError) return error;
  throw new Error(`expected a refusal, got ${error}`);
}

test('a content length over the limit is refused before anything is read', async () => {
  const stream = new PassThrough();
  stream.write('hello');
  const refusal = await refusalOf(receiveBody(stream, { limitBytes: 10, contentLength: 11 }));
  expect(refusal).toMatchObject({ code: 'body_too_large', params: { limit_bytes: 10, size_bytes: 11 } });
  expect(stream.readableLength).toBe(5);
});

test('a stream over the limit is refused with the chunk that passes it, and not destroyed', async () => {
  const stream = new PassThrough();
  const receiving = receiveBody(stream, { limitBytes: 10 });
  stream.write('12345678');
  stream.write('12345678');
  const refusal = await refusalOf(receiving);
  expect(refusal).toMatchObject({ code: 'body_too_large', params: { limit_bytes: 10, size_bytes: 16 } });
  expect(stream.destroyed).toBe(false);
  stream.write('12345678');
  await new Promise(setImmediate);
  expect(stream.readableLength).toBe(8);
});

test('a stream that fails, is destroyed, or was read before is a request that was cancelled', async () => {
  const failing = new PassThrough();
  const failed = refusalOf(receiveBody(failing, { limitBytes: 10 }));
  failing.destroy(new Error('connection reset'));
  expect(await failed).toMatchObject({ code: 'request_cancelled', cause: { message: 'connection reset' } });

  const aborted = new PassThrough();
  const abortion = refusalOf(receiveBody(aborted, { limitBytes: 10 }));
  aborted.write('hello');
  aborted.destroy();
  expect(await abortion).toMatchObject({ code: 'request_cancelled' });

  const destroyed = new PassThrough();
  destroyed.destroy();
  expect(await refusalOf(receiveBody(destroyed, { limitBytes: 10 }))).toMatchObject({
    code: 'request_cancelled',
  });
});

test('a caller who is refused in the middle of an upload gets the answer', async () => {
  const server = createServer((incoming, response) => {
    receiveBody(incoming, { limitBytes: 100_000 }).catch((error: PreflightError) => {
      response.writeHead(413, { connection: 'close' }).end(error.code);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await new Promise<string>((resolve, reject) => {
    const upload = request({ port, host: '127.0.0.1', method: 'POST' }, async (response) => {
      resolve(`${response.statusCode} ${Buffer.concat(await response.toArray())}`);
      upload.destroy();
    });
    upload.on('error', reject);
    upload.write(Buffer.alloc(200_000));
  });
  expect(answer).toBe('413 body_too_large');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
