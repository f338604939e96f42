import type { CheckResponse } from '@preflight/contracts';
import { expect, test } from 'vitest';
import { checkReport } from './check-report.js';

const orphan = {
  code: 'result_without_call',
  pointer: '/messages/3',
  rule: 'a result follows its call',
  match: null,
  source: 'a thread',
  as_of: '2026-11',
  advice: false,
};
const illegal: CheckResponse = {
  format: 'f',
  provider: 'A provider',
  legal: false,
  bytes: 10,
  violations: [orphan, { ...orphan, pointer: '/messages/\u001b' }],
  violation_count: 300,
};

test('places, rules with their sources, and the verdict', () => {
  expect(checkReport(illegal, 80).split('\n')).toEqual([
    'place        breaks',
    '───────────  ───────────────────',
    '/messages/3  result_without_call',
    '/messages/\ufffd  result_without_call',
    'and 298 more',
    '',
    'result_without_call: a result follows its call (a thread, 2026-11)',
    '',
    'A provider would refuse it: 300 violations.',
    '',
  ]);
});

test('a repair, and what is left', () => {
  const legal = { legal: true, bytes: 9, violations: [], violation_count: 0 };
  const repaired = { ...legal, edits: [{ op: 'drop' as const, index: 3 }], warnings: [] };
  const lines = checkReport({ ...illegal, repaired }, 80).split('\n');
  expect(lines.slice(-3)).toEqual([
    'A provider would refuse it: 300 violations.',
    'Repaired by 1 edit: no violations left.',
    '',
  ]);
  expect(checkReport({ ...illegal, ...legal }, 80)).toBe('A provider would take it: no violations.\n');
});
