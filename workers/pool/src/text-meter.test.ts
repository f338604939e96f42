import {
  CUT_SIDES,
  cutContent,
  estimatedTokens,
  finish,
  MARK,
  type TextEstimate,
  textKindOf,
} from '@preflight/core';
import { loadCounter } from '@preflight/tokenizer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/harness/runs.js';
import { makeCut } from './make-cut.js';
import { TextMeter } from './text-meter.js';

const counter = await loadCounter('o200k_base');
const estimate: TextEstimate = {
  rule: 'some',
  date: '2026-11',
  ratios: {
    prose: { tokens: 1.55, low: 1.2, high: 1.7 },
    code: { tokens: 1.4, low: 1.2, high: 1.6 },
    json: { tokens: 1.3, low: 1.2, high: 1.6 },
    cjk: { tokens: 1.1, low: 1, high: 1.2 },
    base64: { tokens: 0.9, low: 0.8, high: 1 },
  },
};
const meter = new TextMeter(counter, estimate);

/** As whoever gets the text anew tells it. */
function recount(text: string): number {
  return estimatedTokens(estimate, textKindOf([Buffer.from(text)]), counter.count(text));
}

const stretches = fc.constantFrom(
  'The harbour opened late, because the fog would not lift. ',
  'const total = values.reduce((sum, value) => sum + value, 0);\n',
  '{"id":4711,"tags":["a","b"],"at":"2026-11-01"},',
  '大型船只必须在外面等候，直到引航员到来。',
  'qL8zV0m3RkT5yXw2Hn7PjB4cGdFs9aE6uKoIiU1tQhYxWvMlNbCrDpZgJfSeAO0r',
);
/** Of one kind after the other, so that what is kept is often of another kind than the whole. */
const mixed = fc
  .array(fc.tuple(stretches, fc.integer({ min: 1, max: 30 })), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([stretch, times]) => stretch.repeat(times)).join(''));

describe('a cut of texts that are estimated', () => {
  test('counts what a recount of it comes to, and no more than was asked for and the marker', () => {
    fc.assert(
      fc.property(
        fc.array(mixed, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 30, max: 1500 }),
        fc.constantFrom(...CUT_SIDES),
        (texts, keepTokens, side) => {
          const given = texts.map((text) => ({ bytes: Buffer.from(text), checkpoints: [] }));
          const made = makeCut(meter, { type: 'cut', index: 0, keepTokens, side }, given);
          const left = finish(cutContent(texts, made)) as string[];
          expect(made.contentTokens).toBe(left.reduce((sum, text) => sum + recount(text), 0));
          const markTokens = Math.ceil(1.55 * (counter.count(`${MARK}\n`) + 3));
          expect(made.contentTokens).toBeLessThanOrEqual(keepTokens + markTokens);
        },
      ),
      runs(300),
    );
  });

  test('keeps as much as fits where the kind stays the same', () => {
    const text = 'The harbour opened late, because the fog would not lift. '.repeat(200);
    const made = makeCut(meter, { type: 'cut', index: 0, keepTokens: 1000 }, [
      { bytes: Buffer.from(text), checkpoints: [] },
    ]);
    expect(made.contentTokens).toBeGreaterThan(990);
  });
});
