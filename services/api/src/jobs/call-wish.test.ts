import { describe, expect, test } from 'vitest';
import { readCallWish } from './call-wish.js';

const NOTHING = { isAsync: false, waitMs: 0, idempotencyKey: undefined };

describe('Prefer', () => {
  test.each([
    [undefined, NOTHING],
    ['', NOTHING],
    ['respond-async', { ...NOTHING, isAsync: true }],
    ['Respond-Async', { ...NOTHING, isAsync: true }],
    ['respond-async, wait=10', { ...NOTHING, isAsync: true, waitMs: 10_000 }],
    ['wait=0.5; x=1 ,respond-async; y', { ...NOTHING, isAsync: true, waitMs: 500 }],
    ['wait="3",wait=9', { ...NOTHING, waitMs: 3000 }],
    ['wait=0.0001', { ...NOTHING, waitMs: 1 }],
    ['wait=1.0005', { ...NOTHING, waitMs: 1001 }],
    ['wait=-1', NOTHING],
    ['wait=for-ever', NOTHING],
    ['return=minimal', NOTHING],
    ['respond-asynchronously', NOTHING],
  ])('%j', (prefer, wish) => {
    expect(readCallWish(prefer === undefined ? {} : { prefer })).toEqual(wish);
  });
});

describe('Idempotency-Key', () => {
  test.each(['a', '"quoted"', 'x'.repeat(255), '8e03978e-40d5-43dd-bc93-6894a57f9324'])('%s', (key) => {
    expect(readCallWish({ 'idempotency-key': key })).toEqual({ ...NOTHING, idempotencyKey: key });
  });

  test.each(['', ' ', 'a b', 'x'.repeat(256), 'ä', 'one, two'])('%j is none', (key) => {
    expect(() => readCallWish({ 'idempotency-key': key })).toThrow(
      expect.objectContaining({ code: 'invalid_request', params: { characters: key.length, limit: 255 } }),
    );
  });
});
