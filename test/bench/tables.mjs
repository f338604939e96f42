/** @typedef {{ caption: string, columns: string[], rows: (string | number)[][] }} Table */

/** A table for the terminal and for Markdown alike. @param {Table} table */
export function writeTable({ caption, columns, rows }) {
  const lines = [columns, ...rows].map((row) => row.map((cell) => String(cell)));
  const widths = columns.map((_, i) => Math.max(3, ...lines.map((row) => row[i].length)));
  const write = (row) => `| ${row.map((cell, i) => pad(cell, widths[i])).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (isFigure(lines[1]?.[i]) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`;
  return [`${caption}:`, '', write(lines[0]), rule, ...lines.slice(1).map(write)].join('\n');
}

function pad(cell, width) {
  return isFigure(cell) ? cell.padStart(width) : cell.padEnd(width);
}

function isFigure(cell) {
  return /^>?\s*[\d.]+($| ?[(–*+\d])/.test(cell ?? '');
}
