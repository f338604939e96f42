import { expect, test } from 'vitest';
import { cutsOfNumbers, numbersOfCuts } from './cut-numbers.js';

test('cuts come through as they were', () => {
  const cuts = [
    { index: 0, textIndex: 0, keepBytes: 0, contentTokens: 35 },
    { index: 99_999, textIndex: 3, keepBytes: 2 ** 30, contentTokens: 1_000_000 },
    { index: 3, textIndex: 0, keepBytes: 5, tailBytes: 7, contentTokens: 40 },
    { index: 4, textIndex: 0, keepBytes: 0, elidedTokens: 900, contentTokens: 9 },
    { index: 5, textIndex: 0, keepBytes: 0, elidedAttachmentTokens: 70_000, contentTokens: 9 },
  ];
  expect(cutsOfNumbers(numbersOfCuts(cuts))).toEqual(cuts);
  expect(cutsOfNumbers(numbersOfCuts([]))).toEqual([]);
});
