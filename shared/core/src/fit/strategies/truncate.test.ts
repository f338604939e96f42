import { describe, expect, test } from 'vitest';
import { KEPT } from '../change.js';
import { fittedOf, ledgerOf, optionsFor, refusedOf, runFit } from '../testing/linear-fit.js';
import { evenShare } from './truncate.js';

describe('the worked example of langroid-overflow §6', () => {
  const ledger = ledgerOf('s6 a300 u300 a300 u300 u2');
  const options = optionsFor(808);
  const run = runFit(ledger, options);

  test('every cut keeps what the table says', () => {
    expect(run.asked.map((step) => [step.index, step.keepTokens])).toEqual([
      [1, 192],
      [2, 192],
      [3, 194],
      [4, 196],
    ]);
    expect(run.cuts.map((cut) => cut.contentTokens)).toEqual([198, 198, 200, 202]);
  });

  test('the decision is the one of the page', () => {
    const cut = { action: 'cut', reason: 'even_share' };
    expect(options.contextWindowTokens).toBe(1172);
    expect(run.decision).toEqual({
      outcome: 'truncated',
      applied: ['truncate'],
      maxOutputTokens: 66,
      tokens: { before: 1208, after: 806, budget: 808, contextWindow: 1172, requestOverhead: 0 },
      changes: [KEPT, cut, cut, cut, cut, KEPT],
      tokensAfter: Int32Array.of(6, 198, 198, 200, 202, 2),
      cuts: run.cuts,
      drops: [],
      attachmentNotes: [],
      flags: [],
    });
  });

  test.each([
    { excess: 400, laterCount: 3, laterCapacity: 792, reduction: 100 },
    { excess: 298, laterCount: 2, laterCapacity: 528, reduction: 100 },
    { excess: 196, laterCount: 1, laterCapacity: 264, reduction: 98 },
    { excess: 96, laterCount: 0, laterCapacity: 0, reduction: 96 },
    { excess: 200, laterCount: 1, laterCapacity: 81, reduction: 119 },
    { excess: 1, laterCount: 1, laterCapacity: 3, reduction: 1 },
  ])('an excess of $excess over $laterCount later messages takes $reduction', (row) => {
    expect(evenShare(row.excess, row.laterCount, row.laterCapacity)).toBe(row.reduction);
  });
});

test.each([
  { what: 'uneven sizes (§6)', line: 's6 a400 a60 u2', excess: 132, after: [6, 290, 36, 2] },
  {
    what: 'tiny ones between (§6)',
    line: 's6 a400 a1 a400 a1 u2',
    excess: 274,
    after: [6, 261, 1, 263, 1, 2],
  },
  {
    what: 'the last user message is spared (§6)',
    line: 's6 u200 a200 u200',
    excess: 70,
    after: [6, 163, 165, 200],
  },
  { what: '36 tokens are left alone', line: 's6 a36 a100 u2', excess: 1, after: [6, 36, 97, 2] },
  { what: '37 tokens give one', line: 's6 a37 u2', excess: 1, after: [6, 36, 2] },
  { what: 'one cut may be enough', line: 's6 a100 a100 u2', excess: 3, after: [6, 96, 100, 2] },
  {
    what: 'tool results are cut as well',
    line: 's6 u10 a10 t500 u2',
    excess: 100,
    after: [6, 10, 10, 398, 2],
  },
  { what: 'what follows the last user stays', line: 's6 a500 u2 a500', excess: 100, after: [6, 398, 2, 500] },
  { what: 'attachments raise the excess', line: 's6 u200@90 u2', excess: 50, after: [6, 238, 2] },
  { what: 'so do other tokens', line: 's6+4 u200+9 u2+4', excess: 50, after: [10, 157, 6] },
])('$what: $line over by $excess', ({ line, excess, after }) => {
  const ledger = ledgerOf(line);
  const before = [...ledger.contentTokens, ...ledger.attachmentTokens, ...ledger.otherTokens];
  const budget = before.reduce((sum, tokens) => sum + tokens) - excess;
  expect([...fittedOf(runFit(ledger, optionsFor(budget)).decision).tokensAfter]).toEqual(after);
});

test('a user message at index 0 is cut when nothing at the front is protected', () => {
  const { decision } = runFit(ledgerOf('u300 u2', { protectedCount: 0 }), optionsFor(202));
  expect([...fittedOf(decision).tokensAfter]).toEqual([198, 2]);
});

test('a recount above the plan flows to the next message', () => {
  const { asked } = runFit(ledgerOf('s6 a300 a300 u2'), optionsFor(508), 1);
  // 100 over: the first gives 51 (its 50, 2 of slack, less 1 of drift), so 49 are left for the second.
  expect(asked.map((step) => step.keepTokens)).toEqual([242, 243]);
});

test('is refused when all are at the floor, with the figures of what was tried', () => {
  const { decision, cuts } = runFit(ledgerOf('s6 u110 a117 u3'), optionsFor(36));
  expect(cuts.map((cut) => cut.contentTokens)).toEqual([36, 36]);
  expect(refusedOf(decision)).toMatchObject({
    code: 'ran_out_of_messages',
    figures: { historyTokensBefore: 236, historyTokensAfter: 81, budget: 36, shortfall: 45 },
  });
});
