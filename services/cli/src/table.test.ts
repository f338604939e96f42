import { describe, expect, test } from 'vitest';
import { bar, type Column, table } from './table.js';

describe('table', () => {
  const columns: Column<[string, string]>[] = [
    { title: '#', align: 'right', cell: (row) => row[0] },
    { title: 'role', align: 'left', cell: (row) => row[1] },
    { title: 'end', align: 'left', cell: () => '|' },
  ];

  test('is as wide as its widest cells', () => {
    const rows: [string, string][] = [
      ['1', 'user'],
      ['10', 'assistant'],
    ];
    expect(table(columns, rows)).toEqual([
      ' #  role       end',
      '──  ─────────  ───',
      ' 1  user       |',
      '10  assistant  |',
    ]);
  });

  test('measures columns, not characters', () => {
    const rows: [string, string][] = [
      ['1', '役割'],
      ['2', 'rolle'],
    ];
    expect(table(columns, rows).slice(2)).toEqual(['1  役割   |', '2  rolle  |']);
  });

  test('leaves out the last columns where they do not fit', () => {
    const rows: [string, string][] = [['1', 'user']];
    expect(table(columns, rows, 12)).toEqual(['#  role  end', '─  ────  ───', '1  user  |']);
    expect(table(columns, rows, 11)).toEqual(['#  role', '─  ────', '1  user']);
    expect(table(columns, rows, 0)).toEqual(['#', '─', '1']);
  });

  test('of no rows is its titles', () => {
    expect(table(columns, [])).toHaveLength(2);
  });
});

test.each([
  [0, ''],
  [0.0001, '▏'],
  [0.5, '██'],
  [0.53125, '██▏'],
  [1, '████'],
  [7, '████'],
  [Number.POSITIVE_INFINITY, '████'],
  [-1, ''],
  [Number.NaN, ''],
])('a share of %d is drawn as "%s"', (share, drawn) => {
  expect(bar(share, 4)).toBe(drawn);
});
