import { expect, test } from 'vitest';
import { type Copy, columnOfCopies } from '../../copies.js';
import type { Ledger } from '../../ledger.js';
import { attachmentsLeft, attachmentTokensLeft } from '../decision.js';
import { replayFit } from '../fit.js';
import type { FitOptions } from '../options.js';
import { fittedOf, ledgerOf, NOTE_TOKENS, optionsFor, refusedOf, runFit } from '../testing/linear-fit.js';

const optionsOf = (budget: number, more: Partial<FitOptions> = {}) =>
  optionsFor(budget, { strategies: ['elide_repeated_attachments'], canNoteAttachments: true, ...more });

/** A ledger with attachments of 90 tokens that are the same, as `message.position`. */
function withCopies(line: string, ...groups: string[]): Ledger {
  const copies = groups.flatMap((places, content) =>
    places.split(' ').map((place): Copy => {
      const [index = 0, position = 0] = place.split('.').map(Number);
      return { index, position, content, tokens: 90, bytes: 0 };
    }),
  );
  copies.sort((a, b) => a.index - b.index || a.position - b.position);
  return { ...ledgerOf(line), copies: columnOfCopies(copies) };
}

const N = NOTE_TOKENS;

test.each([
  {
    what: 'the newest stays',
    ledger: withCopies('s6 u5@90 a5 u5@90 a5 u5', '1.0 3.0'),
    budget: 150,
    left: [6, 5 + N, 5, 95, 5, 5],
    notes: [{ index: 1, elidedTokens: 90, position: 0, kept: { index: 3, position: 0 } }],
    keptIn: ['later'],
  },
  {
    what: 'those next to the newest go first, as few as it takes',
    ledger: withCopies('s6 u5@90 a5 u5@90 a5 u5@90', '1.0 3.0 5.0'),
    budget: 230,
    left: [6, 95, 5, 5 + N, 5, 95],
    notes: [{ index: 3, elidedTokens: 90, position: 0, kept: { index: 5, position: 0 } }],
    keptIn: ['later'],
  },
  {
    what: 'a pinned one stays, and newer ones go',
    ledger: withCopies('s6 u5@90 a5 u5@90 a5 u5', '1.0 3.0'),
    budget: 150,
    more: { pins: [1] },
    left: [6, 95, 5, 5 + N, 5, 5],
    notes: [{ index: 3, elidedTokens: 90, position: 0, kept: { index: 1, position: 0 } }],
    keptIn: ['earlier'],
  },
  {
    what: 'what else a message has stays',
    ledger: withCopies('s6 u5@180 a5 u5@90 a5 u5', '1.1 3.0'),
    budget: 230,
    left: [6, 95 + N, 5, 95, 5, 5],
    notes: [{ index: 1, elidedTokens: 90, position: 1, kept: { index: 3, position: 0 } }],
    keptIn: ['later'],
  },
  {
    what: 'twice in one message',
    ledger: withCopies('s6 u5@180 a5 u5', '1.0 1.1'),
    budget: 125,
    left: [6, 95 + N, 5, 5],
    notes: [{ index: 1, elidedTokens: 90, position: 0, kept: { index: 1, position: 1 } }],
    keptIn: ['here'],
  },
  {
    what: 'each of several files once',
    ledger: withCopies('s6 u5@180 a5 u5@180 a5 u5', '1.0 3.1', '1.1 3.0'),
    budget: 250,
    left: [6, 5 + 2 * N, 5, 185, 5, 5],
    notes: [
      { index: 1, elidedTokens: 90, position: 0, kept: { index: 3, position: 1 } },
      { index: 1, elidedTokens: 90, position: 1, kept: { index: 3, position: 0 } },
    ],
    keptIn: ['later', 'later'],
  },
])('one of what is the same: $what', ({ ledger, budget, more, left, notes, keptIn }) => {
  const options = optionsOf(budget, more);
  const { decision, cuts, asked } = runFit(ledger, options);
  const fitted = fittedOf(decision);
  expect([...fitted.tokensAfter]).toEqual(left);
  expect(fitted).toMatchObject({ outcome: 'repeated_attachments_elided', attachmentNotes: notes, cuts: [] });
  expect(asked.map((step) => step.keptIn)).toEqual(keptIn);
  expect(replayFit(ledger, options, cuts)).toEqual(decision);
  const isLeft = attachmentsLeft(fitted);
  expect(notes.map(isLeft)).toEqual(notes.map(() => false));
  expect(notes.map(({ kept }) => isLeft(kept))).toEqual(notes.map(() => true));
  const attachmentTokens = [...attachmentTokensLeft(fitted, ledger.attachmentTokens)];
  const lost = notes.reduce((sum, { elidedTokens }) => sum + elidedTokens, 0);
  const given = ledger.attachmentTokens.reduce((sum, tokens) => sum + tokens, 0);
  expect(attachmentTokens.reduce((sum, tokens) => sum + tokens, 0)).toBe(given - lost);
});

test.each([
  { what: 'nothing is the same', ledger: ledgerOf('s6 u5@90 a5 u5@90 u5'), more: {} },
  { what: 'all are in the newest user message', ledger: withCopies('s6 u5@180', '1.0 1.1'), more: {} },
  { what: 'all are pinned', ledger: withCopies('u5@90 u5@90 u5', '0.0 1.0'), more: { pins: [0, 1] } },
  {
    what: 'no note can stand where they are',
    ledger: withCopies('s6 u5@90 u5@90 u5', '1.0 2.0'),
    more: { fixedAttachments: [1] },
  },
  {
    what: 'the format has no notes',
    ledger: withCopies('s6 u5@90 u5@90 u5', '1.0 2.0'),
    more: { canNoteAttachments: false },
  },
])('nothing goes where $what', ({ ledger, more }) => {
  const { decision, asked } = runFit(ledger, optionsOf(50, more));
  expect(refusedOf(decision).code).toBe('over_budget_without_repeated_attachments');
  expect(asked).toEqual([]);
});

test('a note about what another strategy has left out since tells of no other', () => {
  const ledger = withCopies('s6 u5@90 a5 u5@90 a5 u5 a5 u5', '1.0 3.0');
  const strategies = ['elide_repeated_attachments', 'elide_attachments'] as const;
  const { decision, cuts, asked } = runFit(ledger, optionsOf(70, { strategies }));
  const fitted = fittedOf(decision);
  expect(asked.map(({ index, keptIn }) => [index, keptIn])).toEqual([
    [1, 'later'],
    [3, undefined],
    [1, undefined],
  ]);
  expect(fitted.attachmentNotes).toEqual([
    { index: 1, elidedTokens: 90, position: 0 },
    { index: 3, elidedTokens: 90 },
  ]);
  expect(fitted.tokens.after).toBe(6 + 2 * (5 + N) + 5 * 5);
  expect(replayFit(ledger, optionsOf(70, { strategies }), cuts)).toEqual(decision);
});

test('nor does one in a turn that stays for a pin, when the newest is dropped', () => {
  const ledger = withCopies('s6 u5@90 a5 u5@90 a50 u5', '1.0 3.0');
  const strategies = ['elide_repeated_attachments', 'drop_turns'] as const;
  const fitted = fittedOf(runFit(ledger, optionsOf(100, { strategies, pins: [2] })).decision);
  expect(fitted.drops).toEqual([[3, 4]]);
  expect(fitted.attachmentNotes).toEqual([{ index: 1, elidedTokens: 90, position: 0 }]);
});

test('behind others, what they have left out is no copy any more', () => {
  const ledger = withCopies('s6 u5@90 a5 u5@90 a5 u5@90 a5 u5', '1.0 3.0 5.0');
  const strategies = ['drop_turns', 'elide_repeated_attachments'] as const;
  const fitted = fittedOf(runFit(ledger, optionsOf(130, { strategies })).decision);
  expect(fitted).toMatchObject({ outcome: 'turns_dropped', attachmentNotes: [] });
});
