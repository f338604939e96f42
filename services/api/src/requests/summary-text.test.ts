import { PreflightError, TextRange } from '@preflight/core';
import { expect, test } from 'vitest';
import { summaryText } from './summary-text.js';

function rangeOf(text: string): TextRange {
  const bytes = Buffer.from(text);
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return new TextRange(buffer, 0, bytes.length);
}

test.each([
  [{}, undefined],
  [{ summary: '', facts: {} }, undefined],
  [{ summary: 'We met.' }, 'We met.'],
  [{ facts: { place: 'Oslo', count: 3 } }, '- count: 3\n- place: Oslo'],
  [
    { summary: rangeOf('We met.'), facts: { who: { b: [rangeOf('x')], a: null } } },
    'We met.\n- who: {"a":null,"b":["x"]}',
  ],
])('%j', (body, text) => {
  expect(summaryText(body)).toBe(text);
});

test('the same facts make the same text', () => {
  expect(summaryText({ facts: { a: 1, b: 2 } })).toBe(summaryText({ facts: { b: 2, a: 1 } }));
});

test('what is no summary any more is refused', () => {
  expect(() => summaryText({ summary: 'x'.repeat(300_000) })).toThrow(PreflightError);
});
