import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finish } from '../steps.js';
import { TextRange } from '../text.js';
import { cutContent, MARK } from './cut-content.js';

const cutAt = (keepBytes: number, textIndex = 0) => ({ index: 3, textIndex, keepBytes, contentTokens: 36 });

function rangeOf(text: string): TextRange {
  const bytes = Buffer.from(`before${text}after`);
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return new TextRange(buffer, 6, bytes.length - 5);
}

test.each([
  { what: 'ASCII', text: 'one two three', keepBytes: 7, kept: 'one two' },
  { what: 'spaces and newlines at the end stay', text: 'one \n two', keepBytes: 6, kept: 'one \n ' },
  { what: 'bytes, not code units', text: 'héé', keepBytes: 3, kept: 'hé' },
  { what: 'an astral character', text: 'a😀b', keepBytes: 5, kept: 'a😀' },
  { what: 'a byte-order mark', text: '\ufeffabc', keepBytes: 4, kept: '\ufeffa' },
  { what: 'nothing', text: 'abc', keepBytes: 0, kept: '' },
  { what: 'everything', text: 'añ', keepBytes: 3, kept: 'añ' },
])('keeps $what', ({ text, keepBytes, kept }) => {
  expect(finish(cutContent([text], cutAt(keepBytes)))).toEqual([kept + MARK]);
  expect(finish(cutContent([rangeOf(text)], cutAt(keepBytes)))).toEqual([kept + MARK]);
});

test.each([
  { what: 'the tail', keepBytes: 0, tailBytes: 5, left: `... [Contents truncated!]\nthree` },
  { what: 'both ends', keepBytes: 3, tailBytes: 5, left: `one${MARK}\nthree` },
])('keeps $what', ({ keepBytes, tailBytes, left }) => {
  const cut = { ...cutAt(keepBytes), tailBytes };
  expect(finish(cutContent(['one two three'], cut))).toEqual([left]);
  expect(finish(cutContent([rangeOf('one two three')], cut))).toEqual([left]);
});

test('a tail is a suffix in code points', () => {
  const cut = { ...cutAt(0), tailBytes: 7 };
  expect(finish(cutContent(['é😀é😀b'], cut))).toEqual(['... [Contents truncated!]\né😀b']);
});

test('a note stands in the place of all texts', () => {
  const cut = { ...cutAt(0), elidedTokens: 812 };
  expect(finish(cutContent(['one', 'two'], cut))).toEqual(['[Tool result left out: 812 tokens]']);
});

test('lone surrogates have three bytes and become U+FFFD, in whole texts of a cut message too', () => {
  expect(finish(cutContent(['a\ud800b\udc00c'], cutAt(8)))).toEqual([`a\ufffdb\ufffd${MARK}`]);
  expect(finish(cutContent(['\udc00x', 'abc'], cutAt(1, 1)))).toEqual(['\ufffdx', `a${MARK}`]);
});

test('a range that came with lone surrogates is well formed where it is whole, too', () => {
  const { buffer, start, end } = rangeOf('a\ufffd');
  const given = new TextRange(buffer, start, end, Uint8Array.of(0x61, 0xed, 0xa0, 0x80));
  expect(finish(cutContent([given, 'abc'], cutAt(1, 1)))).toEqual([
    new TextRange(buffer, start, end),
    `a${MARK}`,
  ]);
});

test('texts before the cut stay whole, later ones go', () => {
  const whole = rangeOf('whole');
  const kept = finish(cutContent(['first', whole, 'second', 'third'], cutAt(3, 2)));
  expect(kept).toEqual(['first', whole, `sec${MARK}`]);
  expect(kept[1]).toBe(whole);
});

test('a string that stops inside a character loses it', () => {
  expect(finish(cutContent(['a😀'], cutAt(3)))).toEqual([`a${MARK}`]);
});

test('a text that is not there is a mistake', () => {
  expect(() => finish(cutContent([], cutAt(0)))).toThrow('message 3 has no text 0');
});

test('every prefix in code points comes back, as string and as range', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, length) => {
      const kept = [...text].slice(0, length).join('');
      const cut = cutAt(Buffer.byteLength(kept));
      expect(finish(cutContent([text], cut))).toEqual([kept + MARK]);
      expect(finish(cutContent([rangeOf(text)], cut))).toEqual([kept + MARK]);
    }),
  );
});

test('what is kept of a long range stays bytes, copied in steps', () => {
  const text = 'four'.repeat(1024 * 1024);
  const steps = cutContent([rangeOf(text)], cutAt(3 * 1024 * 1024));
  for (let i = 0; i < 3; i++) expect(steps.next().done).toBe(false);
  const [kept] = finish(steps) as [TextRange];
  expect(kept).toBeInstanceOf(TextRange);
  expect(Buffer.from(kept.bytes()).toString()).toBe(text.slice(0, 3 * 1024 * 1024) + MARK);
});
