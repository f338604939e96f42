import { TextRange } from '@preflight/core';
import { createPool } from '@preflight/pool';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { digestBytes } from './tree-digest.js';

const KIB = 1024;

const pool = createPool({ threads: 2 });
afterAll(() => pool.close());

/** Memory that a text comes into, from `start` to `end`. */
const start = 100;
let bytes: Buffer<SharedArrayBuffer>;
beforeEach(() => {
  bytes = Buffer.from(new SharedArrayBuffer(1000 * KIB));
  for (let i = 0; i < bytes.length; i++) bytes[i] = 32 + ((i * i + (i >> 10)) % 90);
});
afterEach(() => vi.restoreAllMocks());

const rangeTo = (end: number) => new TextRange(bytes.buffer, start, end);
const digestOf = async (range: TextRange) => (await pool.digestAll([[range]]))[0]?.hex;

describe('a text that is digested while it comes', () => {
  test.each([
    ['of some leaves and a rest', 700 * KIB + 3],
    ['of whole leaves', start + 512 * KIB],
    ['of more leaves than are digested in one go', 0],
  ])('%s has the digest that it has when it is there', async (_, end) => {
    if (end === 0) {
      bytes = Buffer.from(new SharedArrayBuffer(5000 * KIB)).fill('abc');
      end = 4900 * KIB + 7;
    }
    const text = pool.arriving.begin(bytes.buffer, start);
    for (let offset = start; offset < end; offset += 50_000) text.arrive(offset, false);
    text.arrive(end, true);
    const range = rangeTo(end);
    expect(await pool.arriving.leavesOf(range)).toHaveLength(Math.ceil((end - start) / (128 * KIB)));
    expect(await digestOf(range)).toBe(digestBytes(range.bytes()));
  });

  test('reads each byte once', async () => {
    const { buffer } = bytes;
    pool.arriving.begin(buffer, start).arrive(600 * KIB, false);
    const range = rangeTo(700 * KIB);
    expect(await pool.arriving.leavesOf(range)).toHaveLength(4);
    // What is known is not looked at again.
    bytes.fill('x', start, start + 512 * KIB);
    const known = await digestOf(range);
    expect(known).not.toBe(digestBytes(range.bytes()));
    // What came behind it is.
    bytes.fill('x', start + 512 * KIB);
    expect(await digestOf(range)).not.toBe(known);
  });

  test.each([
    ['that ends before what was taken for it', 300 * KIB],
    ['that goes on behind what was taken for its end', 900 * KIB],
    ['that is no longer than a leaf', start + 128 * KIB],
  ])('a text %s has its own digest', async (_, end) => {
    pool.arriving.begin(bytes.buffer, start).arrive(700 * KIB + 1, true);
    expect(await digestOf(rangeTo(end))).toBe(digestBytes(rangeTo(end).bytes()));
  });

  test('is forgotten when other bytes come into its memory', async () => {
    pool.arriving.begin(bytes.buffer, start).arrive(700 * KIB, true);
    pool.arriving.renew(bytes.buffer);
    bytes.fill('x');
    expect(await digestOf(rangeTo(700 * KIB))).toBe(digestBytes(rangeTo(700 * KIB).bytes()));
  });

  test('and starts elsewhere than another one in the same memory', async () => {
    pool.arriving.begin(bytes.buffer, start).arrive(400 * KIB, true);
    pool.arriving.begin(bytes.buffer, 500 * KIB).arrive(900 * KIB, true);
    const other = new TextRange(bytes.buffer, 500 * KIB, 900 * KIB);
    expect(await digestOf(rangeTo(400 * KIB))).toBe(digestBytes(rangeTo(400 * KIB).bytes()));
    expect(await digestOf(other)).toBe(digestBytes(other.bytes()));
  });

  test('is digested by others once the pool does not take it', async () => {
    const closed = createPool({ threads: 1 });
    await closed.close();
    closed.arriving.begin(bytes.buffer, start).arrive(700 * KIB, true);
    expect(await closed.arriving.leavesOf(rangeTo(700 * KIB))).toEqual([]);
  });
});
