import { describe, expect, test } from 'vitest';
import { BodyBuffers } from './body-buffers.js';

const MIB = 1024 * 1024;

describe('BodyBuffers', () => {
  test('uses memory again for bodies of about its size', () => {
    const buffers = new BodyBuffers(10 * MIB);
    const first = buffers.take(2.6 * MIB);
    buffers.giveBack(first);
    expect(buffers.take(2.5 * MIB).buffer).toBe(first.buffer);
    expect(buffers.take(2.5 * MIB).buffer).not.toBe(first.buffer);
  });

  test('never hands out the same memory twice, nor too little, nor far too much', () => {
    const buffers = new BodyBuffers(10 * MIB);
    const [small, large] = [buffers.take(1 * MIB), buffers.take(8 * MIB)];
    buffers.giveBack(small);
    buffers.giveBack(large);
    const taken = buffers.take(2 * MIB);
    expect(taken.length).toBeGreaterThanOrEqual(2 * MIB);
    expect([small.buffer, large.buffer]).not.toContain(taken.buffer);
  });

  test('keeps no more than its limit, and the latest', () => {
    const buffers = new BodyBuffers(5 * MIB);
    const taken = [1, 2, 3, 4].map(() => buffers.take(2 * MIB));
    for (const bytes of taken) buffers.giveBack(bytes);
    const again = [1, 2, 3, 4].map(() => buffers.take(2 * MIB).buffer);
    expect(again.filter((buffer) => taken.some((bytes) => bytes.buffer === buffer))).toEqual([
      taken[2]?.buffer,
      taken[3]?.buffer,
    ]);
    buffers.giveBack(buffers.take(6 * MIB));
    expect(buffers.take(6 * MIB).length).toBeGreaterThanOrEqual(6 * MIB);
  });
});
