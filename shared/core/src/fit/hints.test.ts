import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/harness/runs.js';
import type { Ledger } from '../ledger.js';
import type { FitOptions } from './options.js';
import type { Hint, HintCode, Refused } from './refused.js';
import { ledgers } from './testing/generated-ledgers.js';
import { fallbacks, shares, trims } from './testing/generated-options.js';
import { ledgerOf, MARKER_TOKENS, optionsFor, refusedOf, runFit } from './testing/linear-fit.js';
import { WINDOW_TYPES } from './window-type.js';

const tokens = fc.oneof(fc.nat(10), fc.nat(400), fc.nat(3000));
const windows = fc.option(tokens, { nil: null });
const budgets = fc.option(fc.integer({ min: -50, max: 3000 }), { nil: undefined });

const allOptions: fc.Arbitrary<FitOptions> = fc
  .record({
    strategies: fallbacks,
    window: trims,
    share: shares,
    contextWindowTokens: windows,
    maxOutputTokens: tokens,
    minOutputTokens: tokens,
    bufferTokens: fc.constantFrom(0, 10, 300),
    summaryTokens: fc.constantFrom(0, 0, 25),
    budgetTokens: budgets,
    windowType: fc.constantFrom(undefined, ...WINDOW_TYPES),
    maxInputTokens: fc.option(tokens, { nil: undefined }),
  })
  .filter(
    ({ contextWindowTokens, budgetTokens }) => contextWindowTokens !== null || budgetTokens !== undefined,
  )
  .map(({ budgetTokens, share, windowType, maxInputTokens, ...rest }) => ({
    ...rest,
    ...share,
    ...(windowType && { windowType }),
    ...(maxInputTokens !== undefined && { maxInputTokens }),
    markerTokens: MARKER_TOKENS,
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
  }));

/** Some of them with attachments that are most of what there is. */
const someOfFiles = fc.oneof(
  ledgers,
  ledgers.map((ledger) => ({ ...ledger, attachmentTokens: ledger.attachmentTokens.map((few) => few * 20) })),
);

interface Request {
  readonly ledger: Ledger;
  readonly options: FitOptions;
}

/** Does what the sentence of a hint says, word for word. */
function follow({ code, detail }: Hint, request: Request, refused: Refused): Request {
  const { options, ledger } = request;
  const change = CHANGES[code];
  const figures = [...detail.matchAll(/-?\d+/g)].map(Number) as [number, number];
  if (change !== undefined) return { ledger, options: { ...options, ...change(figures, detail, options) } };

  const column = code === 'reduce_attachments' ? 'attachmentTokens' : 'contentTokens';
  const changed = ledger[column].slice();
  let left = Number(/(\d+) fewer would be enough/.exec(detail)?.[1] ?? figures[0]);
  for (const { index, reason, [column]: leftTokens } of refused.unshrinkable) {
    if (index === null || (column === 'contentTokens' && code !== `shorten_${reason}`)) continue;
    const taken = Math.min(left, leftTokens, changed[index] ?? 0);
    changed[index] = (changed[index] ?? 0) - taken;
    left -= taken;
  }
  expect(left).toBe(0);
  return { ledger: { ...ledger, [column]: changed }, options };
}

type Change = (figures: [number, number], detail: string, options: FitOptions) => Partial<FitOptions>;

const CHANGES: Partial<Record<HintCode, Change>> = {
  raise_context_window: ([contextWindowTokens, budgetTokens], detail) =>
    detail.includes('together with a budget')
      ? { contextWindowTokens, budgetTokens }
      : { contextWindowTokens },
  lower_min_output_tokens: ([minOutputTokens], detail) => ({
    minOutputTokens: detail.includes('even with none') ? 0 : minOutputTokens,
  }),
  lower_max_output_tokens: ([maxOutputTokens]) => ({ maxOutputTokens }),
  raise_max_output_tokens: ([, maxOutputTokens]) => ({ maxOutputTokens }),
  raise_budget_tokens: ([budgetTokens]) => ({ budgetTokens }),
  lower_budget_tokens: ([budgetTokens]) => ({ budgetTokens }),
  elide_attachments: (_, __, { strategies }) => ({ strategies: [...strategies, 'elide_attachments'] }),
};

/** How much the sentence says is missing even when it is followed. */
function missingTokens({ detail }: Hint): number {
  return Number(/(\d+) (?:would still be missing|tokens are missing)/.exec(detail)?.[1] ?? 0);
}

function fits({ ledger, options }: Request, driftTokens: number): boolean {
  return runFit(ledger, options, driftTokens).decision.outcome !== 'refused';
}

/** The request with so many tokens less in what no strategy can touch. */
function lighter({ ledger, options }: Request, tokens: number): Request {
  return { ledger: { ...ledger, requestOverheadTokens: ledger.requestOverheadTokens - tokens }, options };
}

const EVERY_SENTENCE = [
  'elide_attachments',
  'lower_budget_tokens',
  'lower_max_output_tokens',
  'lower_min_output_tokens',
  'lower_min_output_tokens, and more is missing',
  'raise_budget_tokens',
  'raise_context_window',
  'raise_max_output_tokens',
  'reduce_attachments',
  'reduce_attachments, and more is missing',
  'shorten_after_last_user',
  'shorten_after_last_user, and more is missing',
  'shorten_before_first_user',
  'shorten_before_first_user, and more is missing',
  'shorten_last_user',
  'shorten_last_user, and more is missing',
  'shorten_pinned',
  'shorten_pinned, and more is missing',
  'shorten_system',
  'shorten_system, and more is missing',
];

describe('hints are true', () => {
  test('whoever does what a hint says is not refused again, or misses as much as it says', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        someOfFiles,
        allOptions,
        fc.integer({ min: -2, max: 0 }),
        (ledger, options, driftTokens) => {
          const { decision } = runFit(ledger, options, driftTokens);
          if (decision.outcome !== 'refused') return;
          for (const hint of decision.hints) {
            const followed = follow(hint, { ledger, options }, decision);
            const missing = missingTokens(hint);
            seen.add(`${hint.code}${missing > 0 ? ', and more is missing' : ''}`);
            expect([hint, fits(lighter(followed, missing), driftTokens)]).toEqual([hint, true]);
            if (missing > 0 && options.budgetTokens === undefined)
              expect([hint, fits(lighter(followed, missing - 1), driftTokens)]).toEqual([hint, false]);
          }
        },
      ),
      runs(8000),
    );
    expect([...seen].sort()).toEqual(EVERY_SENTENCE);
  });

  test.each([
    { what: 'the budget', line: 'u8', budget: 1, window: 500, codes: ['raise_budget_tokens'] },
    { what: 'budget and window together', line: 'u8', budget: 1, window: 5, codes: ['raise_context_window'] },
    { what: 'the window', line: 'u8', budget: 9, window: 5, codes: ['raise_context_window'] },
  ])('$what is to be raised', ({ line, budget, window, codes }) => {
    const options = optionsFor(0, { budgetTokens: budget, contextWindowTokens: window });
    const { hints } = refusedOf(runFit(ledgerOf(line, { protectedCount: 0 }), options).decision);
    const raised = hints.map(({ code }) => code).filter((code) => code.startsWith('raise_'));
    expect(raised).toEqual(codes);
  });
});
