import { describe, expect, test } from 'vitest';
import { columnsOf, firstColumns, printable } from './terminal-text.js';

describe('printable', () => {
  test.each([
    ['\u001b[31mred', '\uFFFD[31mred'],
    ['a\r\nb\tc\0', 'a\uFFFD\uFFFDb\uFFFDc\uFFFD'],
    ['\u009b2J\u007f', '\uFFFD2J\uFFFD'],
    ['\u202egnp.exe\u2066', '\uFFFDgnp.exe\uFFFD'],
    ['\u2028\ud800', '\uFFFD\uFFFD'],
  ])('%j', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  test.each(['', 'user', 'größe', '日本語 🎉 👩‍👧', 'مرحبا'])('leaves %j alone', (text) => {
    expect(printable(text)).toBe(text);
  });
});

test.each([
  ['', 0],
  ['user', 4],
  ['über', 4],
  ['u\u0308ber', 4],
  ['役割', 4],
  ['한국', 4],
  ['ＡＢ', 4],
  ['🎉', 2],
  ['a\u200db', 2],
  ['\uFFFD', 1],
])('%j takes %i columns', (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

test.each([
  ['assistant', 12, 'assistant'],
  ['assistant', 4, 'assi'],
  ['役割役割', 5, '役割'],
  ['🎉🎉', 1, ''],
])('of %j, %i columns are %j', (text, columns, expected) => {
  expect(firstColumns(text, columns)).toBe(expected);
});
