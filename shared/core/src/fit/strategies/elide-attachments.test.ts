import { expect, test } from 'vitest';
import { replayFit } from '../fit.js';
import type { FitOptions } from '../options.js';
import { fittedOf, ledgerOf, NOTE_TOKENS, optionsFor, refusedOf, runFit } from '../testing/linear-fit.js';

const optionsOf = (budget: number, more: Partial<FitOptions> = {}) =>
  optionsFor(budget, { strategies: ['elide_attachments'], canNoteAttachments: true, ...more });

const run = (line: string, budget: number, more: Partial<FitOptions> = {}) =>
  runFit(ledgerOf(line), optionsOf(budget, more));

const N = NOTE_TOKENS;

test.each([
  {
    what: 'the oldest first, as few as it takes',
    line: 's6 u5@90 a5 u5@90 u5',
    budget: 130,
    left: [6, 5 + N, 5, 95, 5],
  },
  {
    what: 'all but those of the newest user message',
    line: 's6 u5@90 a5 u5@90 u5@40',
    budget: 95,
    left: [6, 5 + N, 5, 5 + N, 45],
  },
  {
    what: 'unless a note would be no shorter',
    line: 's6 u5@20 a5 u5@90 u5',
    budget: 70,
    left: [6, 25, 5, 5 + N, 5],
  },
])('attachments become notes, $what: $line within $budget', ({ line, budget, left }) => {
  const { decision, cuts } = run(line, budget);
  const fitted = fittedOf(decision);
  expect([...fitted.tokensAfter]).toEqual(left);
  expect(fitted).toMatchObject({ outcome: 'attachments_elided', cuts: [] });
  expect(fitted.attachmentNotes[0]?.elidedTokens).toBe(90);
  expect(replayFit(ledgerOf(line), optionsOf(budget), cuts)).toEqual(decision);
});

test('the text beside a note may be cut, and what is dropped has none', () => {
  const line = 's6 u300@90 a5 u5';
  const cut = fittedOf(run(line, 120, { strategies: ['elide_attachments', 'truncate'] }).decision);
  expect(cut).toMatchObject({ outcome: 'truncated', attachmentNotes: [{ index: 1, elidedTokens: 90 }] });
  expect(cut.cuts).toMatchObject([{ index: 1 }]);
  const dropped = fittedOf(run(line, 20, { strategies: ['elide_attachments', 'drop_turns'] }).decision);
  expect(dropped).toMatchObject({ outcome: 'turns_dropped', attachmentNotes: [] });
});

test('where a format has no notes, attachments stay', () => {
  const { code, hints } = refusedOf(run('s6 u5@90 a5 u5', 50, { canNoteAttachments: false }).decision);
  expect(code).toBe('over_budget_without_attachments');
  expect(hints.map((hint) => hint.code)).toContain('reduce_attachments');
});
