import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/harness/runs.js';
import type { FitOptions } from './options.js';
import { overflowsOf, roomTokens } from './overflow.js';
import { unboundLedgers } from './testing/generated-ledgers.js';
import { fallbacks } from './testing/generated-options.js';
import { fittedOf, ledgerOf, optionsFor, refusedOf, runFit } from './testing/linear-fit.js';
import { WINDOW_TYPES, type WindowType } from './window-type.js';

/** 700 tokens of history that can be cut, beside a window of 1000. */
const HISTORY = ledgerOf('s100 u100 a300 u200');

const optionsWith = (more: Partial<FitOptions>) =>
  optionsFor(0, { contextWindowTokens: 1000, maxOutputTokens: 250, bufferTokens: 10, ...more });

const decided = (more: Partial<FitOptions>) => runFit(HISTORY, optionsWith(more)).decision;

describe('stage 1', () => {
  test.each<[string, Partial<FitOptions>, string, number]>([
    ['shared_sum, room for all', {}, 'fits', 250],
    ['shared_sum, less room', { maxOutputTokens: 400 }, 'output_reduced', 290],
    ['shared_sum, too little room', { contextWindowTokens: 770 }, 'truncated', 64],
    ['shared_soft, less room', { windowType: 'shared_soft', maxOutputTokens: 400 }, 'output_reduced', 290],
    [
      'shared_soft, too little room',
      { windowType: 'shared_soft', contextWindowTokens: 770 },
      'output_reduced',
      60,
    ],
    ['shared_soft, none', { windowType: 'shared_soft', contextWindowTokens: 710 }, 'truncated', 66],
    ['input_capped', { windowType: 'input_capped', maxInputTokens: 710, maxOutputTokens: 400 }, 'fits', 400],
    [
      'input_capped, over',
      { windowType: 'input_capped', maxInputTokens: 709, maxOutputTokens: 400 },
      'truncated',
      400,
    ],
    [
      'separate',
      { windowType: 'separate', maxInputTokens: 710, contextWindowTokens: 710, maxOutputTokens: 400 },
      'fits',
      400,
    ],
    [
      'separate, over',
      { windowType: 'separate', contextWindowTokens: 709, maxOutputTokens: 400 },
      'truncated',
      400,
    ],
    ['shared_sum with a limit of input', { maxInputTokens: 709 }, 'truncated', 250],
    ['more output than the model has', { askedOutputTokens: 251 }, 'output_reduced', 250],
  ])('%s', (_, more, outcome, output) => {
    expect(fittedOf(decided(more))).toMatchObject({ outcome, maxOutputTokens: output });
  });

  test('an answer that ends at the window is warned of where it has less than the minimum', () => {
    const codes = (more: Partial<FitOptions>) =>
      fittedOf(decided({ windowType: 'shared_soft', ...more })).flags.map(({ code }) => code);
    expect(codes({ contextWindowTokens: 770 })).toEqual(['output_below_minimum']);
    expect(codes({ contextWindowTokens: 774 })).toEqual([]);
  });
});

test('a budget does not lift the limit of input', () => {
  const fitted = fittedOf(decided({ windowType: 'input_capped', maxInputTokens: 610, budgetTokens: 650 }));
  expect(fitted.tokens.budget).toBe(600);
  expect(fitted.tokens.after).toBeLessThanOrEqual(600);
});

describe('the limit is named', () => {
  test.each<[Partial<FitOptions>, string[], string]>([
    [{ contextWindowTokens: 300 }, ['context_window'], 'context_window'],
    [{ windowType: 'input_capped', maxInputTokens: 300 }, ['max_input_tokens'], 'max_input_tokens'],
    [{ budgetTokens: 200 }, ['budget_tokens'], 'budget_tokens'],
    [{ budgetTokens: 200, maxInputTokens: 150 }, ['max_input_tokens', 'budget_tokens'], 'max_input_tokens'],
    [
      { contextWindowTokens: 300, askedOutputTokens: 300 },
      ['context_window', 'max_output_tokens'],
      'context_window',
    ],
  ])('%j', (more, names, limit) => {
    const options = optionsWith({ strategies: ['drop_turns'], ...more });
    expect(overflowsOf(700, options).map((overflow) => overflow.limit)).toEqual(names);
    expect(refusedOf(runFit(HISTORY, options).decision).limit).toBe(limit);
  });

  test('with what is too much', () => {
    const options = optionsWith({ askedOutputTokens: 400 });
    expect(overflowsOf(700, options)).toEqual([
      { limit: 'context_window', tokens: 100 },
      { limit: 'max_output_tokens', tokens: 150 },
    ]);
    expect(roomTokens(700, options)).toBe(290);
    expect(roomTokens(700, { ...options, windowType: 'separate' })).toBeNull();
  });
});

test('whatever the type, a result keeps every limit', () => {
  const limits = fc.record({
    windowType: fc.constantFrom<WindowType>(...WINDOW_TYPES),
    contextWindowTokens: fc.integer({ min: 100, max: 3000 }),
    maxInputTokens: fc.option(fc.integer({ min: 100, max: 3000 }), { nil: undefined }),
    strategies: fallbacks,
  });
  fc.assert(
    fc.property(unboundLedgers, limits, (ledger, { maxInputTokens, ...rest }) => {
      const options = optionsFor(0, { ...rest, ...(maxInputTokens !== undefined && { maxInputTokens }) });
      const { decision } = runFit(ledger, options);
      if (decision.outcome === 'refused') return;
      const { windowType, contextWindowTokens } = rest;
      const { after } = decision.tokens;
      const isShared = windowType === 'shared_sum' || windowType === 'shared_soft';
      const readTokens = maxInputTokens ?? (isShared ? Number.POSITIVE_INFINITY : contextWindowTokens);
      expect(after + options.bufferTokens).toBeLessThanOrEqual(readTokens);
      if (isShared) expect(after + decision.maxOutputTokens).toBeLessThanOrEqual(contextWindowTokens);
      else expect(decision.maxOutputTokens).toBe(options.maxOutputTokens);
    }),
    runs(2000),
  );
});
