import type { MediaFacts } from '@preflight/core';
import { expect, test } from 'vitest';
import { factsOfNumber, numberOfFacts } from './facts-number.js';

const ALL: readonly MediaFacts[] = [
  { kind: 'image', widthPx: 65_535, heightPx: 1, mimeType: 'image/png' },
  { kind: 'image', widthPx: 1, heightPx: 65_535, mimeType: 'image/heif' },
  { kind: 'pdf', pages: 100_000, mimeType: 'application/pdf' },
  { kind: 'audio', seconds: 0.125, mimeType: 'audio/wav' },
  { kind: 'video', seconds: 3600.5, hasAudio: true, mimeType: 'video/mp4' },
  { kind: 'video', seconds: 3600.5, hasAudio: false },
  { kind: 'video', seconds: 3600.5 },
  { kind: 'unreadable', reason: 'took_too_long', as: 'text' },
  { kind: 'unreadable', reason: 'not_here' },
];

test.each(ALL)('%j is a number and back', (facts) => {
  const number = numberOfFacts(facts);
  expect(Number.isSafeInteger(number)).toBe(true);
  expect(factsOfNumber(number as number)).toEqual(facts);
});

test('what does not fit is no number', () => {
  expect(numberOfFacts({ kind: 'audio', seconds: 1e12 })).toBeUndefined();
  expect(numberOfFacts({ kind: 'audio', seconds: Number.NaN })).toBeUndefined();
});

test('a number of no facts', () => {
  expect(factsOfNumber(2 ** 52 + 15)).toBeUndefined();
});
