import { createHash } from 'node:crypto';
import { TextRange } from '@preflight/core';
import { createPool } from '@preflight/pool';
import { afterAll, describe, expect, test } from 'vitest';
import { digestBytes } from './tree-digest.js';

const KIB = 1024;

function bytesOf(sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(sizeBytes));
  for (let i = 0; i < sizeBytes; i += 1) bytes[i] = 32 + ((i * i + (i >> 10)) % 90);
  return bytes;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe('digest of bytes', () => {
  test('is SHA-256 up to 128 KiB', () => {
    for (const sizeBytes of [0, 1, 128 * KIB]) {
      const bytes = bytesOf(sizeBytes);
      expect(digestBytes(bytes)).toBe(sha256(bytes));
    }
  });

  test('is SHA-512/256 over the SHA-256 of each 128 KiB beyond', () => {
    const bytes = bytesOf(300 * KIB);
    const leaves = [0, 128, 256].map((kib) => sha256(bytes.subarray(kib * KIB, (kib + 128) * KIB)));
    const root = createHash('sha512-256')
      .update(Buffer.from(leaves.join(''), 'hex'))
      .digest('hex');
    expect(digestBytes(bytes)).toBe(root);
  });

  test('asks at each leaf whether to go on', () => {
    let asked = 0;
    digestBytes(bytesOf(300 * KIB), () => {
      asked += 1;
    });
    expect(asked).toBe(3);
  });
});

describe('made by several threads', () => {
  const pool = createPool({ threads: 3 });
  afterAll(() => pool.close());

  test('is the same for each of many countables, whatever their sizes', async () => {
    const texts = [128 * KIB, 128 * KIB + 1, 7, 256 * KIB, 5000 * KIB + 3, 20_000].map(bytesOf);
    const countables = texts.map(({ buffer, byteLength }) => [
      new TextRange(buffer as SharedArrayBuffer, 0, byteLength),
    ]);
    const expected = texts.map((bytes) => ({ hex: digestBytes(bytes), isPlain: true }));
    expect(await pool.digestAll(countables)).toEqual(expected);
  });

  test('is the same for a text in pieces, which one thread joins', async () => {
    const bytes = bytesOf(400 * KIB);
    const buffer = bytes.buffer as SharedArrayBuffer;
    const pieces = [new TextRange(buffer, 0, 1000), new TextRange(buffer, 1000, bytes.length)];
    const [digest] = await pool.digestAll([pieces]);
    expect(digest?.hex).toBe(digestBytes(bytes));
  });
});
