import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { PreflightError } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { receiveBody } from './receive-body.js';
import { allocateShared } from './shared-bytes.js';

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
  expect(body.equals(Buffer.alloc(50 * chunk.length, 'x'))).toBe(true);
});

test.each([1, 1.25, 1.5, 2, 3])('memory given may be larger than asked for: %d times', async (factor) => {
  const chunk = Buffer.alloc(65_521, 'x');
  const body = await receiveBody(Readable.from(Array.from({ length: 80 }, () => chunk)), {
    limitBytes: 100 * chunk.length,
    contentLength: 80 * chunk.length,
    memory: { take: (bytes) => allocateShared(Math.ceil(bytes * factor)), giveBack: () => undefined },
  });
  expect(body.equals(Buffer.alloc(80 * chunk.length, 'x'))).toBe(true);
});

describe('memory is reserved before it is taken', () => {
  const MIB = 1024 * 1024;
  const chunk = Buffer.alloc(MIB / 4, 'x');
  const body = (chunks: number) => Readable.from(Array.from({ length: chunks }, () => chunk));

  test.each([
    ['announced', 4 * MIB, 2 * MIB],
    ['not announced', undefined, 4 * MIB],
  ])('as bytes come, ahead of them by no more than it must be: %s', async (_, contentLength, aheadBytes) => {
    const reserved: number[] = [];
    const taken: number[] = [];
    await receiveBody(body(16), {
      limitBytes: 64 * MIB,
      contentLength,
      reserve: (bytes) => reserved.push(bytes),
      memory: {
        take(sizeBytes) {
          taken.push(sizeBytes);
          return allocateShared(sizeBytes);
        },
        giveBack: (bytes) => void taken.splice(taken.indexOf(bytes.length), 1),
      },
    });
    expect(reserved[0]).toBeLessThanOrEqual(MIB);
    expect(Math.max(...reserved)).toBeLessThanOrEqual(4 * MIB + aheadBytes);
    expect(reserved.at(-1)).toBe(4 * MIB);
    expect(taken).toEqual([4 * MIB]);
  });

  test.each([
    ['all that was announced', 4 * MIB, 4 * MIB],
    ['what may be trusted, of much', 20 * MIB, MIB],
  ])('and given back when the body is refused in the middle: %s', async (_, contentLength, takenBytes) => {
    const given: number[] = [];
    const memory = { take: allocateShared, giveBack: ({ length }: Uint8Array) => void given.push(length) };
    const reserve = (bytes: number) => {
      if (bytes > 2 * MIB) throw new PreflightError('overloaded');
    };
    const receiving = receiveBody(body(16), {
      limitBytes: 64 * MIB,
      contentLength,
      memory,
      reserve,
    });
    expect((await refusalOf(receiving)).code).toBe('overloaded');
    expect(given).toEqual([takenBytes]);
  });
});

test.each([undefined, 1_000_000, 20_000_000])(
  'whoever watches is told of all memory and what is in it: %s',
  async (length) => {
    const watched: { memory: Uint8Array; told: number[] }[] = [];
    const body = await receiveBody(
      Readable.from(Array.from({ length: 20 }, (_, i) => Buffer.alloc(50_000, i))),
      {
        limitBytes: 64 * 1024 * 1024,
        contentLength: length,
        watch(memory) {
          const told: number[] = [];
          watched.push({ memory, told });
          return (receivedBytes) => told.push(receivedBytes);
        },
      },
    );
    expect(watched.at(-1)?.memory.buffer).toBe(body.buffer);
    expect(watched.flatMap(({ told }) => told)).toEqual(
      Array.from({ length: 20 }, (_, i) => 50_000 * (i + 1)),
    );
  },
);

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
