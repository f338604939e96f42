import { describe, expect, test } from 'vitest';
import type { FitOptions } from './options.js';
import type { HintCode } from './refused.js';
import { ledgerOf, optionsFor, refusedOf, runFit } from './testing/linear-fit.js';

const refuse = (line: string, options: FitOptions, requestOverheadTokens = 0) =>
  refusedOf(runFit(ledgerOf(line, { requestOverheadTokens }), options).decision);

describe('unshrinkable (langroid-overflow §8)', () => {
  test('lists all that is left with its reason; the sum is the history', () => {
    const refused = refuse('s6 a20+3 u300@70 a0 u5 a8 t0', optionsFor(40), 90);
    expect(refused.unshrinkable).toEqual([
      { index: null, reason: 'request_overhead', contentTokens: 0, attachmentTokens: 0, otherTokens: 90 },
      { index: 0, reason: 'system', contentTokens: 6, attachmentTokens: 0, otherTokens: 0 },
      { index: 1, reason: 'at_floor', contentTokens: 20, attachmentTokens: 0, otherTokens: 3 },
      { index: 2, reason: 'at_floor', contentTokens: 36, attachmentTokens: 70, otherTokens: 0 },
      { index: 4, reason: 'last_user', contentTokens: 5, attachmentTokens: 0, otherTokens: 0 },
      { index: 5, reason: 'after_last_user', contentTokens: 8, attachmentTokens: 0, otherTokens: 0 },
    ]);
    expect(refused.figures.historyTokensAfter).toBe(238);
  });

  test.each([
    { line: 'u6 a20', reasons: ['system', 'after_last_user'] },
    { line: 's6 a50', reasons: ['system', 'no_user_message'] },
    { line: 's6 u50 a50', reasons: ['system', 'last_user', 'after_last_user'] },
  ])('$line', ({ line, reasons }) => {
    const { unshrinkable } = refuse(line, optionsFor(1));
    expect(unshrinkable.map((entry) => entry.reason)).toEqual(reasons);
  });
});

describe('hints, only those that can help (langroid-overflow §8)', () => {
  const table: { what: string; line: string; options: FitOptions; hints: HintCode[] }[] = [
    {
      what: 'over the budget, no room for any output',
      line: 's600 u300@9 u2',
      options: optionsFor(10),
      hints: [
        'raise_context_window',
        'lower_min_output_tokens',
        'shorten_system',
        'shorten_last_user',
        'reduce_attachments',
      ],
    },
    {
      what: 'over the budget, room beside the whole history',
      line: 's100 u2 a30',
      options: optionsFor(10),
      hints: [
        'raise_context_window',
        'lower_min_output_tokens',
        'lower_max_output_tokens',
        'shorten_system',
        'shorten_last_user',
        'shorten_after_last_user',
      ],
    },
    {
      what: 'no minimal output to lower',
      line: 's0 a100 u50 u0',
      options: optionsFor(10, { strategies: ['drop_turns'], minOutputTokens: 0, bufferTokens: 0 }),
      hints: ['raise_context_window', 'shorten_before_first_user'],
    },
    {
      what: 'an output below the minimum',
      line: 's6 a600 u2',
      options: optionsFor(236, { maxOutputTokens: 60 }),
      hints: ['raise_context_window', 'raise_max_output_tokens'],
    },
    {
      what: 'over a given budget',
      line: 's60 u2',
      options: optionsFor(0, { budgetTokens: 20, contextWindowTokens: 9000 }),
      hints: ['raise_budget_tokens', 'shorten_system', 'shorten_last_user'],
    },
    {
      what: 'within a given budget that the window cannot hold',
      line: 's60 u20',
      options: optionsFor(0, { budgetTokens: 100, contextWindowTokens: 400 }),
      hints: ['raise_context_window', 'lower_min_output_tokens', 'lower_max_output_tokens'],
    },
    {
      what: 'within a given budget, where the window can hold what a lower one leaves',
      line: 's60 a150 u20',
      options: optionsFor(0, { budgetTokens: 250, contextWindowTokens: 500 }),
      hints: ['raise_context_window', 'lower_max_output_tokens', 'lower_budget_tokens'],
    },
    {
      what: 'an output below the minimum, without a window',
      line: 's60 a100 u20',
      options: optionsFor(0, { budgetTokens: 120, contextWindowTokens: null, maxOutputTokens: 10 }),
      hints: ['raise_max_output_tokens', 'raise_budget_tokens'],
    },
  ];

  test.each(table)('$what', ({ line, options, hints }) => {
    expect(refuse(line, options).hints.map((hint) => hint.code)).toEqual(hints);
  });

  test('sentences state figures that are true', () => {
    const options = optionsFor(80);
    const { hints, figures } = refuse('s100 u20@30', options);
    expect(figures).toMatchObject({ shortfall: 70, contextWindow: 444 });
    const details = hints.map(({ code, detail }) => [code, [...detail.matchAll(/\d+/g)].map(Number)]);
    expect(details).toEqual([
      ['raise_context_window', [514, 444]],
      ['lower_min_output_tokens', [64, 6]],
      ['lower_max_output_tokens', [294, 300]],
      ['shorten_system', [100, 70]],
      ['shorten_last_user', [20, 50]],
      ['reduce_attachments', [30, 40]],
    ]);
  });

  test.each([
    { code: 'raise_context_window', more: { contextWindowTokens: 514 } },
    { code: 'lower_max_output_tokens', more: { maxOutputTokens: 294 } },
  ])('taking the advice of $code helps', ({ more }) => {
    const { decision } = runFit(ledgerOf('s100 u20@30'), { ...optionsFor(80), ...more });
    expect(decision.outcome).not.toBe('refused');
  });
});
