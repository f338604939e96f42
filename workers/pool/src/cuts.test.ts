import { expect, test } from 'vitest';
import { packCuts, unpackCuts } from './cuts.js';

test('cuts come through as they were', () => {
  const cuts = [
    { index: 0, textIndex: 0, keepBytes: 0, contentTokens: 35 },
    { index: 99_999, textIndex: 3, keepBytes: 2 ** 30, contentTokens: 1_000_000 },
  ];
  expect(unpackCuts(packCuts(cuts))).toEqual(cuts);
  expect(unpackCuts(packCuts([]))).toEqual([]);
});
