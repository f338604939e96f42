import { TOKEN_KINDS, type TokenKind } from '@preflight/accounting';
import { loneColumns } from '@preflight/core';
import { expect, test } from 'vitest';
import { Breakdown, overheadOf } from './breakdown.js';

const ledger = {
  contentTokens: new Int32Array(4),
  attachmentTokens: new Int32Array(4),
  otherTokens: Int32Array.of(4, 20, 4, 9),
  ...loneColumns(4),
  isUser: new Uint8Array(4),
  protectedCount: 0,
  requestOverheadTokens: 50,
};
const kind = (name: TokenKind) => TOKEN_KINDS.indexOf(name);
const kinds = Int32Array.from(
  [
    [0, kind('tool_results'), 70],
    [1, kind('tool_calls'), 10],
    [1, kind('other'), 2],
    [1, kind('other'), 3],
    [3, kind('reasoning'), 9],
    [-1, kind('tools'), 45],
  ].flat(),
);

test('tells what is more than formatting, message by message, and formatting as what is left', () => {
  const breakdown = new Breakdown(kinds, ledger);
  expect([0, 1, 2, 3].map((index) => breakdown.ofMessage(index))).toEqual([
    { formatting: 4, tool_results: 70 },
    { formatting: 5, tool_calls: 10, other: 5 },
    undefined,
    { reasoning: 9 },
  ]);
  expect(breakdown.ofRequest()).toEqual({ formatting: 5, tools: 45 });
});

test('tells of the request without the messages, and by which rule', () => {
  const job = { count: 'request', family: 'claude', model: 'claude-opus-4-8', isExact: false } as const;
  const counted = { ledger, kinds };
  expect(overheadOf(job, counted, new Breakdown(kinds, ledger))).toMatchObject({
    overhead: {
      ...{ tokens: 87, low: 49, high: 125, basis: 'estimate' },
      ...{ rule: 'claude', rule_date: '2026-11', tool_schemas: { rule: 'json', rule_date: '2026-11' } },
      kinds: { formatting: 5, tools: 45 },
    },
  });
  expect(overheadOf({ ...job, count: 'content' }, counted, new Breakdown(kinds, ledger))).toEqual({});
  const empty = new Breakdown(new Int32Array(), { ...ledger, requestOverheadTokens: 0 });
  expect(empty.ofRequest()).toEqual({});
});
