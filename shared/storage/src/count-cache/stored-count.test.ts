import { expect, test } from 'vitest';
import { decodeCount, encodeCount } from './stored-count.js';

const key = Buffer.from('a key');

test('a stored count is read again', () => {
  for (const count of [0, 1, 123_456, Number.MAX_SAFE_INTEGER]) {
    expect(decodeCount(key, encodeCount(key, count))).toBe(count);
  }
});

test('a flipped bit, another length or another key makes a miss', () => {
  const stored = encodeCount(key, 123_456);
  for (let bit = 0; bit < stored.length * 8; bit += 1) {
    const flipped = Buffer.from(stored);
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    expect(decodeCount(key, flipped)).toBeUndefined();
  }
  expect(decodeCount(key, stored.subarray(1))).toBeUndefined();
  expect(decodeCount(key, Buffer.alloc(0))).toBeUndefined();
  expect(decodeCount(key, undefined)).toBeUndefined();
  expect(decodeCount(Buffer.from('b key'), stored)).toBeUndefined();
});

test('what was stored as a count and is none makes a miss', () => {
  for (const count of [-1, 0.5, Number.NaN]) {
    expect(decodeCount(key, encodeCount(key, count))).toBeUndefined();
  }
});
