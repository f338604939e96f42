import { columnsOf } from './terminal-text.js';

export interface Column<Row> {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly cell: (row: Row) => string;
}

/** Spaces between two columns. */
export const GAP = 2;

/**
 * The lines of a table: columns as wide as their widest cell, two spaces apart, a rule below the titles. Columns that
 * do not fit into `width` are left out, the last ones first: a line that wraps is no row any more, and a figure that
 * is cut off is another figure.
 */
export function table<Row>(
  allColumns: readonly Column<Row>[],
  rows: readonly Row[],
  width = Number.POSITIVE_INFINITY,
): string[] {
  const { cells, widths, columns } = fitting(allColumns, rows, width);
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => {
        const space = ' '.repeat((widths[i] as number) - columnsOf(text));
        return columns[i]?.align === 'right' ? space + text : text + space;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join(' '.repeat(GAP));
  return [line(columns.map(({ title }) => title)), rule, ...cells.map(line)];
}

/** How wide each column is. */
export function widthsOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): number[] {
  return columns.map(({ title, cell }) =>
    rows.reduce((width, row) => Math.max(width, columnsOf(cell(row))), columnsOf(title)),
  );
}

/** The first columns, as many as fit; at least one. */
function fitting<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number) {
  const widths = widthsOf(columns, rows);
  let count = widths.length;
  while (count > 1 && totalWidth(widths.slice(0, count)) > width) count -= 1;
  const kept = columns.slice(0, count);
  return {
    columns: kept,
    widths: widths.slice(0, count),
    cells: rows.map((row) => kept.map(({ cell }) => cell(row))),
  };
}

/** How wide a table of such columns is. */
export function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1));
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of at most `width` characters, in eighths; a share above 1 fills it. Anything above 0 leaves a trace. */
export function bar(share: number, width: number): string {
  if (!(share > 0)) return '';
  const eighths = Math.max(1, Math.round(Math.min(1, share) * width * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] as string);
}
