import { describe, expect, test } from 'vitest';
import { replayFit, startFit } from './fit.js';
import type { FitOptions } from './options.js';
import { fittedOf, ledgerOf, optionsFor, refusedOf, runFit } from './testing/linear-fit.js';

const HISTORY = 's6 u100 a100 u4'; // 210 tokens

describe('stage 1, the output (langroid-overflow §3)', () => {
  test.each([
    { window: 1234, outcome: 'fits', output: 1024 },
    { window: 1233, outcome: 'output_reduced', output: 723 },
    { window: 574, outcome: 'output_reduced', output: 64 },
    { window: 573, outcome: 'truncated', output: 66 },
  ])('a window of $window gives $output', ({ window, outcome, output }) => {
    const { decision } = runFit(ledgerOf(HISTORY), optionsFor(0, { contextWindowTokens: window }));
    expect(decision).toMatchObject({ outcome, maxOutputTokens: output });
  });

  test('an output of 0 is a result', () => {
    const options = optionsFor(0, { contextWindowTokens: 510, minOutputTokens: 0 });
    expect(runFit(ledgerOf(HISTORY), options).decision).toMatchObject({
      outcome: 'output_reduced',
      maxOutputTokens: 0,
    });
  });

  test('a small output fits though the history is above its budget', () => {
    const options = optionsFor(0, { contextWindowTokens: 220, maxOutputTokens: 10 });
    expect(runFit(ledgerOf(HISTORY), options).decision).toMatchObject({
      outcome: 'fits',
      maxOutputTokens: 10,
      tokens: { budget: -144 },
    });
  });
});

describe('an explicit budget', () => {
  const given = (more: Partial<FitOptions>) => runFit(ledgerOf(HISTORY), optionsFor(0, more)).decision;

  test.each([
    {
      what: 'no window, within',
      budgetTokens: 210,
      contextWindowTokens: null,
      outcome: 'fits',
      output: 1024,
    },
    {
      what: 'no window, over',
      budgetTokens: 209,
      contextWindowTokens: null,
      outcome: 'truncated',
      output: 1024,
    },
    {
      what: 'room in the window, over',
      budgetTokens: 150,
      contextWindowTokens: 9000,
      outcome: 'truncated',
      output: 1024,
    },
    {
      what: 'window just met, within',
      budgetTokens: 210,
      contextWindowTokens: 1234,
      outcome: 'fits',
      output: 1024,
    },
    {
      what: 'window short, within',
      budgetTokens: 210,
      contextWindowTokens: 1233,
      outcome: 'output_reduced',
      output: 723,
    },
    {
      what: 'window short, over',
      budgetTokens: 150,
      contextWindowTokens: 1000,
      outcome: 'truncated',
      output: 552,
    },
  ])('$what', ({ outcome, output, budgetTokens, contextWindowTokens }) => {
    const fitted = fittedOf(given({ budgetTokens, contextWindowTokens }));
    expect(fitted).toMatchObject({ outcome, maxOutputTokens: output });
    expect(fitted.tokens).toMatchObject({ budget: budgetTokens, contextWindow: contextWindowTokens });
    expect(fitted.tokens.after).toBeLessThanOrEqual(budgetTokens);
  });

  test('is refused when the window leaves too little, though the budget holds', () => {
    const refused = refusedOf(given({ budgetTokens: 210, contextWindowTokens: 573 }));
    expect(refused).toMatchObject({
      code: 'output_below_min_after_truncate',
      figures: { shortfall: 0, budget: 210 },
      unshrinkable: [],
    });
  });

  test('is needed where there is no window', () => {
    expect(() => given({ contextWindowTokens: null })).toThrow('window or a budget');
  });
});

test.each([
  {
    what: 'what fits whole has no use for a summary',
    window: 1234,
    outcome: 'fits',
    after: 210,
    output: 1024,
  },
  { what: 'nor has a smaller output', window: 574, outcome: 'output_reduced', after: 210, output: 64 },
  {
    what: 'a compressed history leaves room for it',
    window: 573,
    outcome: 'truncated',
    after: 187,
    output: 64,
  },
])('with tokens for a summary, $what', ({ window, outcome, after, output }) => {
  const options = optionsFor(0, { contextWindowTokens: window, summaryTokens: 20 });
  const fitted = fittedOf(runFit(ledgerOf(HISTORY), options).decision);
  expect(fitted).toMatchObject({ outcome, tokens: { after: expect.any(Number) } });
  expect(fitted.tokens.after).toBeLessThanOrEqual(after + 2);
  expect(fitted.maxOutputTokens).toBeGreaterThanOrEqual(output);
  if (outcome === 'truncated')
    expect(fitted.tokens.after + fitted.maxOutputTokens + 300 + 20).toBeLessThanOrEqual(window);
});

describe('legal inputs', () => {
  test.each([
    { what: 'an empty list', line: '', budget: 100, outcome: 'output_reduced' },
    { what: 'an empty list over a negative budget', line: '', budget: -1, outcome: 'refused' },
    { what: 'a budget of zero', line: 's6 u3', budget: 0, outcome: 'refused' },
    {
      what: 'messages without tokens within a budget of zero',
      line: 's0 u0',
      budget: 0,
      outcome: 'output_reduced',
    },
    { what: 'no user message', line: 's6 a500', budget: 100, outcome: 'refused' },
    { what: 'the only user message at index 1', line: 's6 u500', budget: 100, outcome: 'refused' },
    { what: 'fewer messages than protected', line: 's6', budget: 5, outcome: 'refused' },
  ])('$what', ({ line, budget, outcome }) => {
    for (const strategy of ['truncate', 'drop_turns'] as const) {
      const { decision } = runFit(
        ledgerOf(line, { protectedCount: 2 }),
        optionsFor(budget, { strategies: [strategy] }),
      );
      expect(decision.outcome).toBe(outcome);
    }
  });

  test.each([
    ['truncate', 'output_below_min_after_truncate'],
    ['drop_turns', 'output_below_min_after_drop'],
  ] as const)('an output below the minimum is refused once %s was needed', (strategy, code) => {
    const options = optionsFor(150, {
      strategies: [strategy],
      maxOutputTokens: 63,
      contextWindowTokens: 270,
    });
    const within = optionsFor(150, { strategies: [strategy], maxOutputTokens: 60, contextWindowTokens: 270 });
    expect(
      refusedOf(runFit(ledgerOf('s6 u200 u4'), { ...options, budgetTokens: 150 }).decision),
    ).toMatchObject({
      code,
      figures: { shortfall: 0 },
    });
    expect(fittedOf(runFit(ledgerOf('s6 u200 u4'), within).decision).outcome).toBe('fits');
  });
});

test('the overhead of the request is part of the history and cannot be cut', () => {
  const ledger = ledgerOf('s6 u300 u4', { requestOverheadTokens: 90 });
  const fitted = fittedOf(runFit(ledger, optionsFor(300)).decision);
  expect(fitted.tokens).toEqual({
    before: 400,
    after: 298,
    budget: 300,
    contextWindow: 664,
    requestOverhead: 90,
  });
});

describe('the stepper', () => {
  const ledger = ledgerOf('s6 a300 a300 u4');
  const options = optionsFor(500);
  const cut = (index: number) => ({ index, textIndex: 0, keepBytes: 10, contentTokens: 250 });

  test('replays to the same decision, and only with all the cuts', () => {
    const { decision, cuts } = runFit(ledger, options);
    expect(cuts).toHaveLength(2);
    expect(replayFit(ledger, options, cuts)).toEqual(decision);
    expect(() => replayFit(ledger, options, cuts.slice(0, 1))).toThrow('more than the 1 cuts');
    expect(() => replayFit(ledger, options, [...cuts, cut(3)])).toThrow('no further cut');
  });

  test('refuses the cut of another message and keeps its place', () => {
    const fit = startFit(ledger, options);
    expect(() => fit.next(cut(2))).toThrow('message 1, not 2');
    expect(fit.step).toMatchObject({ type: 'cut', index: 1 });
    expect(fit.next(cut(1))).toMatchObject({ type: 'cut', index: 2 });
  });

  test('leaves ledger and options as they were', () => {
    const before = structuredClone(ledger);
    runFit(ledger, Object.freeze(options));
    expect(ledger).toEqual(before);
  });

  test('gives a decision that survives a thread', () => {
    const { decision } = runFit(ledger, options);
    expect(structuredClone(decision)).toEqual(decision);
  });
});

test.each([
  ['truncate'],
  ['drop_turns'],
  ['trim'],
  ['elide_tool_results'],
  ['elide_tool_results', 'drop_turns', 'truncate'],
] as const)('%s looks at every message of a long conversation a few times at most', (...strategies) => {
  const lookups = [1000, 8000].map((turns) => {
    const ledger = ledgerOf(`s6 ${'u300 c4 r300 a30 '.repeat(turns)}u2`);
    let count = 0;
    const contentTokens = new Proxy(ledger.contentTokens, {
      get(column, name) {
        count += 1;
        const value = Reflect.get(column, name, column);
        return typeof value === 'function' ? value.bind(column) : value;
      },
    });
    const options = optionsFor(370 * turns, { strategies });
    expect(runFit({ ...ledger, contentTokens }, options).decision.outcome).not.toBe('refused');
    return count / turns;
  });
  expect(lookups[1]).toBeLessThan((lookups[0] as number) * 1.1);
  expect(lookups[1]).toBeLessThan(80);
});
