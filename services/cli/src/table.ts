export interface Column<Row> {
  readonly title: string;
  readonly align: 'left' | 'right';
  cell(row: Row): string;
}

/** Columns as wide as their widest cell, two spaces apart, a rule below the titles. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const widths = columns.map(({ title }, i) =>
    cells.reduce((width, row) => Math.max(width, (row[i] as string).length), title.length),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => (columns[i]?.align === 'right' ? text.padStart(widths[i] as number) : text.padEnd(widths[i] as number)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [line(columns.map(({ title }) => title)), rule, ...cells.map(line)].join('\n');
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of at most `width` characters, in eighths; a share above 1 fills it. Anything above 0 leaves a trace. */
export function bar(share: number, width: number): string {
  const full = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : share > 0 ? 1 : 0;
  const eighths = share > 0 ? Math.max(1, Math.round(full * width * 8)) : 0;
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] as string);
}
