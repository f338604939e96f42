import type { CountResponse, PreflightResponse, Problem } from '@preflight/contracts';
import { describe, expect, test } from 'vitest';
import { countReport, fitReport, problemReport } from './report.js';
import { columnsOf } from './terminal-text.js';

const row = { content_tokens: 1000, attachment_tokens: 200, other_tokens: 34 };

const fitted: PreflightResponse = {
  id: 'x',
  outcome: 'truncated',
  applied: ['truncate'],
  max_output_tokens: 512,
  encoding: 'o200k_base',
  exact: true,
  tokens: { before: 2468, after: 1300, budget: 1500, context_window: 2000, request_overhead: 0 },
  limits: {
    window_type: 'shared_sum',
    max_input_tokens: null,
    max_output_tokens: null,
    reasoning_tokens: 0,
    room_left: 400,
    overflow: [{ limit: 'context_window', tokens: 980 }],
  },
  totals: {
    before: { tokens: 2468, low: 2468, high: 2468, basis: 'formula' },
    after: { tokens: 1300, low: 1300, high: 1300, basis: 'formula' },
  },
  messages: [
    { index: 0, role: 'user', ...row, tokens_after: 66, action: 'cut', reason: 'even_share' },
    { index: 1, role: 'assistant', ...row, tokens_after: 1234, action: 'kept', reason: null },
  ],
  edits: [],
  warnings: [{ code: 'attachment_estimate', detail: 'Attachments are estimates.' }],
  timing: { queue_ms: 0, count_ms: 0, fit_ms: 0 },
  cache: { hits: 0, misses: 0 },
};

const counted: CountResponse = {
  tokens: 2468,
  low: 2000,
  high: 3000,
  basis: 'estimate',
  encoding: 'o200k_base',
  exact: false,
  request_overhead: 3,
  messages: [{ index: 0, role: 'user', ...row }],
  warnings: [],
  timing: { count_ms: 0 },
  cache: { hits: 0, misses: 0 },
};

const problem: Problem = {
  type: 'urn:x',
  title: 'Invalid request',
  status: 400,
  detail: 'The request is wrong.',
  instance: '/x',
  code: 'invalid_request',
  request_id: 'x',
};

describe('fitReport', () => {
  test('has a row a message, the decision in one line and the warnings', () => {
    expect(fitReport(fitted, 80).split('\n')).toEqual([
      expect.stringMatching(/^# {2}role {7}before {2}after {7}of window +after$/),
      expect.stringMatching(/^─/),
      expect.stringMatching(/^0 {2}user {8}1,234 +66 {2}cut {2}█+\S* +▌?\S*$/),
      expect.stringMatching(/^1 {2}assistant {3}1,234 {2}1,234 {7}█+\S* +█+\S*$/),
      '',
      'Fits with old messages shortened: 2,468 → 1,300 tokens of history (1 of 2 messages changed), 512 of output in a window of 2,000; o200k_base.',
      'warning: Attachments are estimates. (attachment_estimate)',
      '',
    ]);
  });

  test('of what fits says so, without a window if there is none', () => {
    const tokens = { ...fitted.tokens, before: 5, after: 5, context_window: null };
    const report = fitReport({ ...fitted, outcome: 'fits', tokens, exact: false, warnings: [] }, 80);
    expect(report).toMatch(/Fits as it is: 5 tokens of history, 512 of output; o200k_base, not exact\.\n$/);
  });

  test.each([80, 66, 45, 30, 20, 8])('has no row wider than a terminal of %i columns', (width) => {
    for (const report of [fitReport(fitted, width), countReport(counted, width)]) {
      const table = report.split('\n\n')[0]?.split('\n') as string[];
      for (const line of table) expect(columnsOf(line)).toBeLessThanOrEqual(width);
    }
  });

  test('gives up the bars first, and never part of a figure', () => {
    expect(fitReport(fitted, 45).split('\n').slice(0, 4)).toEqual([
      '#  role       before  after',
      '─  ─────────  ──────  ─────  ───',
      '0  user        1,234     66  cut',
      '1  assistant   1,234  1,234',
    ]);
    expect(fitReport(fitted, 24).split('\n')[3]).toBe('1  assistant   1,234');
  });
});

describe('countReport', () => {
  test('has a row a message and the total', () => {
    const lines = countReport(counted, 100).split('\n');
    expect(lines[2]).toMatch(/^0 {2}user {4}1,000 +200 +34 {2}█/);
    expect(lines[4]).toBe('2,468 tokens (o200k_base, not exact), 3 of them request overhead');
  });

  test('of a text is the total', () => {
    const { messages, request_overhead, ...text } = counted;
    expect(countReport({ ...text, exact: true }, 100)).toBe('2,468 tokens (o200k_base)\n');
  });
});

test('problemReport tells places, figures, what cannot shrink and hints', () => {
  const report = problemReport({
    ...problem,
    errors: [
      { pointer: '/messages', detail: 'must be an array' },
      { pointer: '', detail: 'is wrong' },
    ],
    figures: { budget: 1234, context_window: null },
    unshrinkable: [
      { index: null, reason: 'request_overhead', content_tokens: 0, attachment_tokens: 0, other_tokens: 7 },
      { index: 4, reason: 'last_user', content_tokens: 1, attachment_tokens: 2, other_tokens: 3 },
    ],
    hints: [{ code: 'raise', detail: 'Raise it.' }],
  });
  expect(report).toBe(
    `Invalid request (invalid_request): The request is wrong.
  /messages: must be an array
  (body): is wrong
  budget          1,234
  context_window  null
  cannot shrink request: 7 tokens (request_overhead)
  cannot shrink message 4: 6 tokens (last_user)
  hint: Raise it.
`,
  );
});

test('no control character of the request reaches the terminal', () => {
  const evil = '\u001b]0;owned\u0007\r\u009b2J\n';
  const messages = [{ ...fitted.messages[0], role: evil } as PreflightResponse['messages'][number]];
  const reports = [
    fitReport({ ...fitted, messages, warnings: [{ code: 'x', detail: evil }] }, 80),
    countReport({ ...counted, messages: [{ index: 0, role: evil, ...row }] }, 80),
    problemReport({ ...problem, detail: evil, errors: [{ pointer: `/${evil}`, detail: evil }] }),
  ];
  for (const report of reports) {
    expect(report.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(report.split('\n').every((line) => !line.startsWith('owned'))).toBe(true);
  }
});

describe('cost', () => {
  const origin = { currency: 'USD', source: 'list', date: '2026-11-01' } as const;

  test('of a fit is told before and after', () => {
    const before = { input: 1.5, cached_input: 0.15, output: 0.02 };
    const cost = { ...origin, before, after: { input: 0.00012, cached_input: null, output: 0.02 } };
    expect(fitReport({ ...fitted, cost }, 100)).toContain(
      'Cost: $1.5000 → $0.000120 input, at most $0.0200 output (list, 2026-11-01).',
    );
    expect(fitReport(fitted, 100)).not.toContain('Cost');
  });

  test('of a count is told, and what is left out', () => {
    const cost = { ...origin, without_attachments: true, input: 0.5, cached_input: 0.05 } as const;
    expect(countReport({ ...counted, cost }, 100)).toContain(
      'Cost without attachments: $0.5000 input ($0.0500 if cached) (list, 2026-11-01).',
    );
  });
});
