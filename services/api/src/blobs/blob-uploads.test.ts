import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { MemoryPayloadStore } from '@preflight/storage';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../test/harness/wait-for.js';
import { Admission } from '../body/admission.js';
import { BlobUploads } from './blob-uploads.js';

const MIB = 1024 * 1024;

function uploadsOf(admission: Admission) {
  const payloads = new MemoryPayloadStore({ maxBytes: 8 * MIB });
  return new BlobUploads({ payloads, admission, limitBytes: 8 * MIB, lifetimeMs: 60_000 });
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

test('an upload has a permit for what of it is on its way, however large it is', async () => {
  const admission = new Admission(4 * MIB);
  const uploads = uploadsOf(admission);
  const bytes = Buffer.alloc(6 * MIB, 'a');
  const stream = new PassThrough();
  const receiving = uploads.receive(digestOf(bytes), stream, bytes.length);
  await waitFor(() => admission.heldBytes === MIB);
  stream.end(bytes);
  expect(await receiving).toEqual({ isNew: true, sizeBytes: bytes.length });
  expect(admission.heldBytes).toBe(0);
});

test('is refused when too much is on its way, and its bytes are left alone', async () => {
  const stream = new PassThrough();
  stream.write('bytes');
  const receiving = uploadsOf(new Admission(MIB - 1)).receive('0'.repeat(64), stream, undefined);
  await expect(receiving).rejects.toMatchObject({ code: 'overloaded' });
  expect([stream.destroyed, stream.readableLength]).toEqual([false, 5]);
});

test('gives the permit back when it fails', async () => {
  const admission = new Admission(MIB);
  const stream = new PassThrough();
  stream.end('other bytes');
  const receiving = uploadsOf(admission).receive('0'.repeat(64), stream, undefined);
  await expect(receiving).rejects.toMatchObject({ code: 'digest_mismatch' });
  expect(admission.heldBytes).toBe(0);
});

test('what the store has no room for is refused', async () => {
  const uploads = uploadsOf(new Admission(64 * MIB));
  const send = (letter: string) => {
    const bytes = Buffer.alloc(5 * MIB, letter);
    const stream = new PassThrough();
    stream.end(bytes);
    return uploads.receive(digestOf(bytes), stream, bytes.length);
  };
  await send('a');
  await expect(send('b')).rejects.toMatchObject({ code: 'overloaded' });
});
