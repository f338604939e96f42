import { expect, test } from 'vitest';
import { calibrationsReport, usageReport } from './calibrations-report.js';

const learned = { model: 'a\u001b[2Jb', samples: 5, rule: 'calibrated', rule_date: '2026-11', ratios: {} };

test('names of models, which any caller chooses, cannot steer a terminal', () => {
  const reports = [calibrationsReport([learned], 100), usageReport(1, { ...learned, taken: true })];
  for (const report of reports) {
    expect(report).toContain('a\uFFFD[2Jb');
    expect(report).not.toContain('\u001b');
  }
});
