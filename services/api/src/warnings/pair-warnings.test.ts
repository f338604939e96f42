import { UNIT_FAULTS } from '@preflight/core';
import { expect, test } from 'vitest';
import { pairWarnings } from './pair-warnings.js';

const faults = (...names: (typeof UNIT_FAULTS)[number][]) => ({
  unitFaults: Uint8Array.from(names, (name) => UNIT_FAULTS.indexOf(name) + 1),
});

test('each kind is told once, with its first places', () => {
  expect(pairWarnings({ unitFaults: new Uint8Array(5) })).toEqual([]);
  expect(pairWarnings(faults('pending_call'))).toEqual([]);
  const two = pairWarnings(faults('orphan_result', 'unanswered_call', 'orphan_result'));
  expect(two).toMatchObject([{ code: 'orphan_result' }, { code: 'unanswered_call' }]);
  expect(two[0]?.detail).toContain('messages 0, 2:');
  const many = pairWarnings(faults(...Array.from({ length: 1_000 }, () => 'orphan_result' as const)));
  expect(many[0]?.detail).toContain('19 and 980 more:');
});
