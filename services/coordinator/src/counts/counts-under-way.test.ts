import type { CountKey } from '@preflight/storage';
import { expect, test } from 'vitest';
import { CountsUnderWay } from './counts-under-way.js';

const key = (text: string) => text as CountKey;

test('the first has it to find, the others wait for what it finds', async () => {
  const underWay = new CountsUnderWay();
  expect(underWay.claim(key('a'))).toBeUndefined();
  const waiting = [underWay.claim(key('a')), underWay.claim(key('a'))];
  expect(underWay.claim(key('b'))).toBeUndefined();
  underWay.found(key('a'), 5);
  expect(await Promise.all(waiting)).toEqual([5, 5]);
  expect(await underWay.claim(key('a'))).toBe(5);
});

test('what is released without a count leaves those who wait with nothing', async () => {
  const underWay = new CountsUnderWay();
  underWay.claim(key('a'));
  const waiting = underWay.claim(key('a'));
  underWay.release(key('a'));
  expect(await waiting).toBeUndefined();
});

test('what is released can be claimed again', async () => {
  const underWay = new CountsUnderWay();
  underWay.claim(key('a'));
  underWay.found(key('a'), 5);
  underWay.release(key('a'));
  underWay.release(key('a'));
  expect(underWay.claim(key('a'))).toBeUndefined();
});
