import type { CalibrationSample, TextEstimate } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { calibrated, calibrationSample } from './calibration.js';
import { textEstimateFor } from './text-ratio-rules.js';

const rule = textEstimateFor('claude-opus-4-7');

function samplesOf(
  factors: readonly number[],
  kind: CalibrationSample['kind'] = 'prose',
): CalibrationSample[] {
  return factors.map((factor, i) => ({
    rule: `${rule.rule} ${rule.date}`,
    kind,
    factor,
    atMs: 1_790_000_000_000 + i,
  }));
}
const around = (factor: number, count: number) =>
  Array.from({ length: count }, (_, i) => factor + ((i % 5) - 2) / 100);

describe('a sample', () => {
  const at = { atMs: 1 };

  test('is what was charged for one token that was estimated', () => {
    const sample = calibrationSample(rule, { counted: { prose: 1000 }, textTokens: 1700, ...at });
    expect(sample).toMatchObject({ kind: 'prose', factor: 1700 / 1550 });
  });

  test('is mixed where no kind prevails', () => {
    const counted = { prose: 700, json: 300 };
    expect(calibrationSample(rule, { counted, textTokens: 1500, ...at })).toMatchObject({ kind: 'mixed' });
  });

  test.each([
    ['too_small', { prose: 99 }, 150],
    ['too_small', {}, 50],
    ['implausible', { prose: 50 }, 1_000_000_000],
    ['implausible', { prose: 1000 }, 100_000],
    ['implausible', { prose: 1000 }, 300],
    ['implausible', { prose: 1000 }, -5],
  ] as const)('that is %s is none', (reason, counted, textTokens) => {
    expect(calibrationSample(rule, { counted, textTokens, ...at })).toMatchObject({ reason });
  });
});

describe('what is learned', () => {
  test('is nothing from few samples, nor from those against another rule', () => {
    expect(calibrated(rule, samplesOf(around(1.1, 4)))).toBe(rule);
    const others = samplesOf(around(1.1, 50)).map((sample) => ({ ...sample, rule: 'claude-4.7 2026-10' }));
    expect(calibrated(rule, others)).toBe(rule);
  });

  test('is the median of the factors, with bounds, rule, date and number', () => {
    const learned = calibrated(rule, samplesOf(around(1.1, 50)));
    expect(learned).toMatchObject({ rule: 'calibrated', date: '2026-09-21', samples: 50 });
    const { tokens, low, high } = learned.ratios.prose;
    expect(tokens).toBeCloseTo(1.55 * 1.1, 2);
    expect(low).toBeLessThan(tokens * 0.98);
    expect(high).toBeGreaterThan(tokens * 1.02);
    expect(high).toBeLessThan(rule.ratios.prose.high * 1.2);
  });

  test('is not moved by outliers', () => {
    const tokensOf = ({ ratios }: TextEstimate) => ratios.prose.tokens;
    const plain = calibrated(rule, samplesOf(around(1.1, 40)));
    const withOutliers = calibrated(rule, samplesOf([...around(1.1, 40), ...Array(12).fill(2.4)]));
    expect(Math.abs(tokensOf(withOutliers) / tokensOf(plain) - 1)).toBeLessThan(0.015);
  });

  test('has bounds that are wider the fewer samples there are, and the more they differ', () => {
    const widthOf = (samples: readonly CalibrationSample[]) => {
      const { low, high } = calibrated(rule, samples).ratios.prose;
      return high - low;
    };
    expect(widthOf(samplesOf(around(1.1, 5)))).toBeGreaterThan(widthOf(samplesOf(around(1.1, 100))));
    const unlike = Array.from({ length: 50 }, (_, i) => 1 + (i % 10) / 20);
    expect(widthOf(samplesOf(unlike))).toBeGreaterThan(widthOf(samplesOf(around(1.1, 50))));
  });

  test('is of each kind by itself where it has samples, and of all where it has not', () => {
    const samples = [...samplesOf(around(1.1, 20)), ...samplesOf(around(0.9, 20), 'json')];
    const { ratios } = calibrated(rule, samples);
    expect(ratios.prose.tokens / rule.ratios.prose.tokens).toBeCloseTo(1.1, 2);
    expect(ratios.json.tokens / rule.ratios.json.tokens).toBeCloseTo(0.9, 2);
    expect(ratios.code.tokens / rule.ratios.code.tokens).toBeCloseTo(1, 1);
  });
});
