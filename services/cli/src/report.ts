import type { CountResponse, PreflightResponse, Problem, TrimmedResponse } from '@preflight/contracts';
import { OUTCOMES_IN_WORDS, TRIM_MESSAGES } from '@preflight/core';
import { bar, type Column, GAP, table, totalWidth, widthsOf } from './table.js';
import { firstColumns, printable } from './terminal-text.js';

/** One row a message with its share of the window before and after, and the decision in one line. */
export function fitReport(answer: PreflightResponse, width: number): string {
  const { tokens } = answer;
  const whole = { of: 'window', tokens: tokens.context_window ?? tokens.budget };
  const lines = messageTable(answer.messages, whole, width);
  return text([...lines, '', decisionLine(answer), ...costLines(answer), ...warningLines(answer.warnings)]);
}

/** The same for a list that was trimmed, with its hazards. */
export function trimReport(answer: TrimmedResponse, width: number): string {
  const { tokens, messages, outcome, encoding, hazards } = answer;
  const words = outcome === 'fits' ? OUTCOMES_IN_WORDS.fits : TRIM_MESSAGES.outcomeInWords;
  const changed = messages.filter(({ action }) => action !== 'kept').length;
  const unit = encoding === undefined ? '' : `; ${encoding}`;
  const line = `${words}: ${figure(tokens.before)} → ${figure(tokens.after)} of at most ${figure(tokens.budget)} (${changed} of ${messages.length} messages changed)${unit}.`;
  const lines = messageTable(messages, { of: 'budget', tokens: Math.max(1, tokens.budget) }, width);
  return text([...lines, '', line, ...hazards.map((hazard) => `hazard: ${hazard}`)]);
}

/** A table of messages before and after, with their shares of a whole. */
function messageTable(
  messages: PreflightResponse['messages'],
  whole: { readonly of: string; readonly tokens: number },
  width: number,
): string[] {
  const rows = messages.map((message) => {
    const before = message.content_tokens + message.attachment_tokens + message.other_tokens;
    const after = message.tokens_after;
    return [
      String(message.index),
      message.role,
      figure(before),
      figure(after),
      before,
      after,
      message.action,
    ] as const;
  });
  return tableWithBars(rows, width, {
    columns: [
      { title: '#', align: 'right', cell: (row) => row[0] },
      { title: 'role', align: 'left', cell: (row) => roleCell(row[1]) },
      { title: 'before', align: 'right', cell: (row) => row[2] },
      { title: 'after', align: 'right', cell: (row) => row[3] },
      { title: '', align: 'left', cell: (row) => (row[6] === 'kept' ? '' : row[6]) },
    ],
    bars: [
      { title: `of ${whole.of}`, share: (row) => row[4] / whole.tokens },
      { title: 'after', share: (row) => row[5] / whole.tokens },
    ],
  });
}

/** One row a message with what its tokens are made of, and the total. */
export function countReport(answer: CountResponse, width: number): string {
  const how = [answer.encoding, answer.exact ? undefined : 'not exact'].filter((word) => word !== undefined);
  const tokens = answer.tokens === null ? 'no' : figure(answer.tokens);
  const total = `${tokens} tokens (${how.join(', ')})`;
  if (answer.messages === undefined)
    return text([total, ...countCostLines(answer), ...warningLines(answer.warnings)]);
  const sum = (message: (typeof rows)[number]) =>
    message.content_tokens + message.attachment_tokens + message.other_tokens;
  const rows = answer.messages;
  const lines = tableWithBars(rows, width, {
    columns: [
      { title: '#', align: 'right', cell: (row) => String(row.index) },
      { title: 'role', align: 'left', cell: (row) => roleCell(row.role) },
      { title: 'content', align: 'right', cell: (row) => figure(row.content_tokens) },
      { title: 'attachments', align: 'right', cell: (row) => figure(row.attachment_tokens) },
      { title: 'other', align: 'right', cell: (row) => figure(row.other_tokens) },
    ],
    bars: [{ title: 'of total', share: (row) => sum(row) / Math.max(1, answer.tokens ?? 1) }],
  });
  const overhead = answer.request_overhead
    ? `, ${figure(answer.request_overhead)} of them request overhead`
    : '';
  return text([...lines, '', total + overhead, ...countCostLines(answer), ...warningLines(answer.warnings)]);
}

const MAX_BAR_WIDTH = 24;
/** Shorter bars tell nothing that the figures do not. */
const MIN_BAR_WIDTH = 9;

/** A table with bars in the room that its other columns leave, and without where they leave too little. */
function tableWithBars<Row>(
  rows: readonly Row[],
  width: number,
  {
    columns,
    bars,
  }: {
    readonly columns: readonly Column<Row>[];
    readonly bars: readonly { readonly title: string; readonly share: (row: Row) => number }[];
  },
): string[] {
  const leftWidth = width - totalWidth(widthsOf(columns, rows));
  const barWidth = Math.min(MAX_BAR_WIDTH, Math.floor(leftWidth / bars.length) - GAP);
  if (barWidth < MIN_BAR_WIDTH) return table(columns, rows, width);
  const drawn = bars.map(
    ({ title, share }): Column<Row> => ({ title, align: 'left', cell: (row) => bar(share(row), barWidth) }),
  );
  return table([...columns, ...drawn], rows, width);
}

/** Why there is no answer, with figures, places and hints. */
export function problemReport(problem: Problem): string {
  const lines = [`${problem.title} (${problem.code}): ${problem.detail}`];
  for (const { pointer, detail } of problem.errors ?? []) lines.push(`  ${pointer || '(body)'}: ${detail}`);
  const entries = Object.entries(problem.figures ?? {});
  const nameWidth = Math.max(0, ...entries.map(([name]) => name.length));
  for (const [name, value] of entries)
    lines.push(`  ${name.padEnd(nameWidth)}  ${typeof value === 'number' ? figure(value) : value}`);
  for (const entry of problem.unshrinkable ?? []) {
    const tokens = entry.content_tokens + entry.attachment_tokens + entry.other_tokens;
    const place = entry.index === null ? 'request' : `message ${entry.index}`;
    lines.push(`  cannot shrink ${place}: ${figure(tokens)} tokens (${entry.reason})`);
  }
  for (const hint of problem.hints ?? []) lines.push(`  hint: ${hint.detail}`);
  return text(lines);
}

function decisionLine({
  outcome,
  tokens,
  bytes,
  max_output_tokens,
  encoding,
  exact,
  messages,
}: PreflightResponse): string {
  const changed = messages.filter(({ action }) => action !== 'kept').length;
  const history =
    tokens.before === tokens.after
      ? `${figure(tokens.after)} tokens of history`
      : `${figure(tokens.before)} → ${figure(tokens.after)} tokens of history (${changed} of ${messages.length} messages changed)`;
  const window = tokens.context_window === null ? '' : ` in a window of ${figure(tokens.context_window)}`;
  const size = bytes === undefined ? '' : `, ${figure(bytes.after)} of ${figure(bytes.max)} bytes`;
  return `${OUTCOMES_IN_WORDS[outcome]}: ${history}, ${figure(max_output_tokens)} of output${window}${size}; ${encoding}${exact ? '' : ', not exact'}.`;
}

/** What the request costs before and after, if prices are known. */
function costLines({ cost }: PreflightResponse): string[] {
  if (cost === undefined) return [];
  const { before, after, without_attachments, source, date } = cost;
  const change = (kind: 'input' | 'output') =>
    before[kind] === after[kind]
      ? `${dollars(after[kind])} ${kind}`
      : `${dollars(before[kind])} → ${dollars(after[kind])} ${kind}`;
  const cached = after.cached_input === null ? '' : ` (${dollars(after.cached_input)} if cached)`;
  const of = without_attachments ? 'Cost without attachments' : 'Cost';
  return [`${of}: ${change('input')}${cached}, at most ${change('output')} (${source}, ${date}).`];
}

/** Of one count. */
function countCostLines({ cost }: CountResponse): string[] {
  if (cost === undefined) return [];
  const { input, cached_input, without_attachments, source, date } = cost;
  const cached = cached_input === null ? '' : ` (${dollars(cached_input)} if cached)`;
  const of = without_attachments ? 'Cost without attachments' : 'Cost';
  return [`${of}: ${dollars(input)} input${cached} (${source}, ${date}).`];
}

/** To a hundredth of a cent, and smaller amounts to three digits. */
function dollars(amount: number): string {
  return `$${amount >= 0.01 || amount === 0 ? amount.toFixed(4) : amount.toPrecision(3)}`;
}

function warningLines(warnings: readonly { code: string; detail: string }[]): string[] {
  return warnings.map(({ code, detail }) => `warning: ${detail} (${code})`);
}

/** Roles are the caller's words, of any length. */
function roleCell(role: string): string {
  return firstColumns(printable(role), 12);
}

/** Lines for a terminal, whatever of them came with the request. */
function text(lines: readonly string[]): string {
  return lines.map((line) => `${printable(line)}\n`).join('');
}

const FIGURES = new Intl.NumberFormat('en-US');

function figure(tokens: number): string {
  return FIGURES.format(tokens);
}
