import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { headBlob, putBlob, referenceTo, sha256 } from '../harness/blobs.js';
import { BOTH_WAYS, type Running } from '../harness/both-ways.js';
import { send } from '../harness/http.js';
import { RawConnection } from '../harness/raw-connection.js';
import { waitFor } from '../harness/wait-for.js';

const MIB = 1024 * 1024;

describe.each(BOTH_WAYS)('uploads, %s', (_, start) => {
  let service: Running;
  beforeAll(async () => {
    service = await start({
      PREFLIGHT_BLOB_LIMIT_BYTES: String(4 * MIB),
      PREFLIGHT_BODY_LIMIT_BYTES: String(4 * MIB),
    });
  });

  test.each([0, 1, 70_000, 2 * MIB + 3])('%d bytes come once, and again', async (sizeBytes) => {
    const bytes = randomBytes(sizeBytes);
    expect((await headBlob(service.url, sha256(bytes))).status).toBe(404);
    const first = await putBlob(service.url, bytes);
    const { digest, bytes: size } = referenceTo(bytes);
    expect([first.status, first.body]).toEqual([201, { digest, bytes: size }]);
    expect((await headBlob(service.url, sha256(bytes))).status).toBe(200);
    const second = await putBlob(service.url, bytes);
    expect([second.status, second.body]).toEqual([200, first.body]);
  });

  test('the digest may be written as in requests', async () => {
    const bytes = randomBytes(10);
    expect((await putBlob(service.url, bytes, { digest: `sha256:${sha256(bytes)}` })).status).toBe(201);
    expect((await headBlob(service.url, `sha256:${sha256(bytes)}`)).status).toBe(200);
  });

  test('the length need not be announced, nor the type be one of ours', async () => {
    const bytes = randomBytes(MIB);
    const answer = await send(service.url, {
      method: 'PUT',
      path: `/v1/blobs/${sha256(bytes)}`,
      headers: { 'transfer-encoding': 'chunked', 'content-type': 'image/png' },
      body: [bytes.subarray(0, 10), bytes.subarray(10)],
    });
    expect(answer.status).toBe(201);
  });

  test.each(['abc', `${'0'.repeat(63)}G`, '0'.repeat(65), 'A'.repeat(64), `md5:${'0'.repeat(64)}`])(
    'no digest: %s',
    async (digest) => {
      const answer = await putBlob(service.url, Buffer.from('bytes'), { digest });
      expect([answer.status, answer.body.code]).toEqual([400, 'malformed_digest']);
      expect((await headBlob(service.url, digest)).status).toBe(400);
    },
  );

  test('other bytes than those of the digest are not stored, whether it is known or not', async () => {
    const [right, wrong] = [randomBytes(MIB), randomBytes(MIB)];
    const put = () => putBlob(service.url, wrong, { digest: sha256(right) });
    const answer = await put();
    expect([answer.status, answer.body.code]).toEqual([400, 'digest_mismatch']);
    expect(answer.body.figures).toEqual({ size_bytes: MIB });
    for (const digest of [sha256(right), sha256(wrong)])
      expect((await headBlob(service.url, digest)).status).toBe(404);
    await putBlob(service.url, right);
    expect((await put()).body.code).toBe('digest_mismatch');
    expect((await headBlob(service.url, sha256(right))).status).toBe(200);
  });

  test('what is too large is refused, before it has come if it says so', async () => {
    const announced = await putBlob(service.url, Buffer.alloc(0), {
      digest: sha256(Buffer.alloc(5 * MIB)),
      headers: { 'content-length': String(5 * MIB) },
      isEndless: true,
    });
    expect([announced.status, announced.body.code]).toEqual([413, 'body_too_large']);
    expect(announced.body.figures).toEqual({ limit_bytes: 4 * MIB, size_bytes: 5 * MIB });
    const received = await send(service.url, {
      method: 'PUT',
      path: `/v1/blobs/${sha256(Buffer.alloc(5 * MIB))}`,
      headers: { 'transfer-encoding': 'chunked' },
      body: Array.from({ length: 5 }, () => Buffer.alloc(MIB)),
      isEndless: true,
    });
    expect([received.status, received.body.code]).toEqual([413, 'body_too_large']);
  });

  test('a caller who leaves in the middle leaves nothing behind', async () => {
    const bytes = randomBytes(2 * MIB);
    const left = () => service.output().match(/request_cancelled|malformed_http/g)?.length ?? 0;
    const before = left();
    const connection = await RawConnection.to(service.url);
    await connection.beginUpload(
      `PUT /v1/blobs/${sha256(bytes)} HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes.length}\r\n\r\n`,
    );
    connection.send(bytes.subarray(0, MIB));
    connection.socket.destroy();
    await waitFor(() => left() > before);
    expect((await headBlob(service.url, sha256(bytes))).status).toBe(404);
    expect((await putBlob(service.url, bytes)).status).toBe(201);
  });

  test('many at a time, some of them the same', async () => {
    const different = Array.from({ length: 4 }, () => randomBytes(MIB));
    const answers = await Promise.all(
      [...different, ...different].map((bytes) => putBlob(service.url, bytes)),
    );
    expect(answers.every(({ status }) => status === 200 || status === 201)).toBe(true);
    for (const bytes of different) expect((await headBlob(service.url, sha256(bytes))).status).toBe(200);
  });
});

describe.each(BOTH_WAYS)('an upload, %s', (_, start) => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await start({ PREFLIGHT_BLOB_LIFETIME_MS: '1000' }));
  });

  test('is gone after its lifetime', async () => {
    const bytes = randomBytes(100);
    expect((await putBlob(url, bytes)).status).toBe(201);
    // Asking keeps it, so it is not asked for all the time.
    await waitFor(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      return (await headBlob(url, sha256(bytes))).status === 404;
    });
  });
});
