import { columnsOf } from './terminal-text.js';

export interface Column<Row> {
  readonly title: string;
  readonly align: 'left' | 'right';
  cell(row: Row): string;
}

/** The lines of a table: columns as wide as their widest cell, two spaces apart, a rule below the titles. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const widths = columns.map(({ title }, i) =>
    cells.reduce((width, row) => Math.max(width, columnsOf(row[i] as string)), columnsOf(title)),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => {
        const space = ' '.repeat((widths[i] as number) - columnsOf(text));
        return columns[i]?.align === 'right' ? space + text : text + space;
      })
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [line(columns.map(({ title }) => title)), rule, ...cells.map(line)];
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of at most `width` characters, in eighths; a share above 1 fills it. Anything above 0 leaves a trace. */
export function bar(share: number, width: number): string {
  if (!(share > 0)) return '';
  const eighths = Math.max(1, Math.round(Math.min(1, share) * width * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] as string);
}
