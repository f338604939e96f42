import { expect, test } from 'vitest';
import { keepPieces } from './keep-pieces.js';
import { pieceEnds } from './pieces.js';
import type { TextSplitter } from './trim-options.js';

function piecesOf(text: string, splitter: TextSplitter): string[] {
  const bytes = Buffer.from(text);
  const ends = pieceEnds(bytes, splitter);
  return Array.from(ends, (end, i) => bytes.subarray(ends[i - 1] ?? 0, end).toString());
}

test.each([
  ['', ['']],
  ['one', ['one']],
  ['one\ntwo', ['one\n', 'two']],
  ['one\n', ['one\n', '']],
  ['\n\n', ['\n', '\n', '']],
  ['a\r\nb', ['a\r\n', 'b']],
])('lines of %j', (text, pieces) => {
  expect(piecesOf(text, 'lines')).toEqual(pieces);
});

// Recorded from Python 3.11: `re.findall(r'\S+\s*|\s+', text)`.
test.each([
  [
    '  a b\u3000c\u00a0d\n\ne\u2003\u200bf\ufeffg\u001ch ',
    ['  ', 'a ', 'b\u3000', 'c\u00a0', 'd\n\n', 'e\u2003', '\u200bf\ufeffg\u001c', 'h '],
  ],
  ['', []],
  ['   ', ['   ']],
  ['word', ['word']],
  ['\u4f60\u597d \ud83d\udc4b x', ['\u4f60\u597d ', '\ud83d\udc4b ', 'x']],
])('words of %j', (text, pieces) => {
  expect(piecesOf(text, 'words')).toEqual(pieces);
});

/** Counts what it is asked for. */
function charactersCounter() {
  const asked: string[] = [];
  const count = (text: Uint8Array) => Buffer.from(text).toString().length;
  const exceeds = (text: Uint8Array, maxUnits: number) => {
    asked.push(Buffer.from(text).toString());
    return count(text) > maxUnits;
  };
  return { asked, count, exceeds };
}

test('pieces from the end are tried in reverse, and kept in their order', () => {
  const counter = charactersCounter();
  const step = { maxUnits: 7, side: 'last', splitter: 'words' } as const;
  expect(keepPieces(Buffer.from('aa bb cc dd'), step, counter)).toEqual({
    startBytes: 6,
    endBytes: 11,
    units: 5,
  });
  expect(counter.asked).toContain('ddcc ');
});

test('a text of a million pieces takes some twenty counts', () => {
  const counter = charactersCounter();
  const step = { maxUnits: 1000, side: 'first', splitter: 'words' } as const;
  const bytes = Buffer.from('w '.repeat(1_000_000));
  expect(keepPieces(bytes, step, counter)?.endBytes).toBe(1000);
  expect(counter.asked.length).toBeLessThan(22);
});

test('nothing is kept where not even one piece fits, and an empty last line is a piece', () => {
  const step = { maxUnits: 0, side: 'last', splitter: 'lines' } as const;
  expect(keepPieces(Buffer.from('aa'), step, charactersCounter())).toBeNull();
  expect(keepPieces(Buffer.from('aa\n'), step, charactersCounter())).toEqual({
    startBytes: 3,
    endBytes: 3,
    units: 0,
  });
});
