import { expect, test } from 'vitest';
import { OncePerKey } from './once-per-key.js';

test('a key is first once', () => {
  const seen = new OncePerKey(10);
  expect(['a', 'b', 'a', ''].map((key) => seen.isFirst(key))).toEqual([true, true, false, true]);
});

test('the key seen longest ago is forgotten first', () => {
  const seen = new OncePerKey(2);
  for (const key of ['a', 'b', 'a', 'c']) seen.isFirst(key);
  expect(seen.isFirst('a')).toBe(false);
  expect(seen.isFirst('b')).toBe(true);
});

test('100,000 keys take no more than the limit', () => {
  const seen = new OncePerKey(100);
  for (let i = 0; i < 100_000; i++) seen.isFirst(`agent ${i}`);
  const known = Array.from({ length: 100_000 }, (_, i) => i).filter(
    (i) => i >= 99_900 && !seen.isFirst(`agent ${i}`),
  );
  expect(known).toHaveLength(100);
});
