import { type Countable, finish, type Piece, TextRange } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { textOf } from '../testing/fake-pool.js';
import { withSharedStrings } from './shared-strings.js';

const long = new TextRange(new SharedArrayBuffer(8), 0, 8);
const written: Piece = { text: long, as: 'json' };

describe('countables stay as they are', () => {
  test.each<[string, Countable]>([
    ['nothing', []],
    ['a small text', ['a']],
    ['a range', [long]],
    ['small texts around a long one', ['{"a":"', written, '"}']],
  ])('%s', (_, countable) => {
    expect(finish(withSharedStrings(countable))).toEqual(countable);
  });
});

test('long rows of strings become ranges, in steps, with the same bytes', () => {
  const row = Array.from({ length: 50 }, (_, i) => `é${i}\ud800`.repeat(1000));
  const countable = [...row, written, 'small', written, ...row];
  const steps = withSharedStrings(countable);
  for (let i = 0; i < 50; i++) expect(steps.next().done).toBe(false);
  const shared = finish(steps);
  expect(shared.map((piece) => (piece instanceof TextRange ? 'range' : piece))).toEqual([
    'range',
    written,
    'small',
    written,
    'range',
  ]);
  expect(textOf(shared.slice(0, 1))).toBe(row.join('').toWellFormed());
  expect(textOf(shared.slice(4))).toBe(row.join('').toWellFormed());
});

test('one long string is a row', () => {
  const [range] = finish(withSharedStrings(['x'.repeat(70_000)]));
  expect(range).toMatchObject({ byteLength: 70_000 });
});
