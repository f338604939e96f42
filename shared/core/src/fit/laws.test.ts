import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/harness/runs.js';
import { historyTokens, type Ledger, messageTokens } from '../ledger.js';
import { KEPT } from './change.js';
import { cuttableMessages, leastTokens } from './compress.js';
import type { Decision, Fitted } from './decision.js';
import type { FitOptions } from './options.js';
import { FLOOR_TOKENS } from './strategies/floor.js';
import { SLACK_TOKENS } from './strategies/measure.js';
import { evenShare } from './strategies/truncate.js';
import { ledgers, unboundLedgers } from './testing/generated-ledgers.js';
import { fallbacks, shares, trims } from './testing/generated-options.js';
import { MARKER_TOKENS, NOTE_TOKENS, optionsFor, runFit } from './testing/linear-fit.js';

const FLOOR_WITH_MARKER = FLOOR_TOKENS + MARKER_TOKENS;

/** Budgets around the size of the histories, negative ones included. */
const budgets = fc.integer({ min: -50, max: 3000 });
const truncating = (budget: number) => optionsFor(budget);
const dropping = (budget: number) => optionsFor(budget, { strategies: ['drop_turns'] });
const strategies = fc.tuple(fallbacks, trims, shares).map(
  ([names, trim, share]) =>
    (budget: number) =>
      optionsFor(budget, { strategies: names, window: trim, ...share }),
);
/** Those that leave the end of the conversation as it is. */
const wholeTail = fc
  .shuffledSubarray(['truncate', 'drop_turns'] as const, { minLength: 1 })
  .map((names) => (budget: number) => optionsFor(budget, { strategies: names }));

const indices = (ledger: Ledger) => [...ledger.isUser.keys()];
const lastUser = (ledger: Ledger) => ledger.isUser.lastIndexOf(1);
const isEligible = (ledger: Ledger, index: number) =>
  index >= ledger.protectedCount && index < lastUser(ledger);

/** Checks a law on every fitted decision of random conversations, the refused ones being none of its business. */
function lawOfFitted(
  optionsOf: fc.Arbitrary<(budget: number) => FitOptions>,
  law: (fitted: Fitted, ledger: Ledger, options: FitOptions) => void,
  conversations = unboundLedgers,
): void {
  fc.assert(
    fc.property(conversations, budgets, optionsOf, (ledger, budget, optionsOfBudget) => {
      const options = optionsOfBudget(budget);
      const { decision } = runFit(ledger, options);
      if (decision.outcome !== 'refused') law(decision, ledger, options);
    }),
    runs(1000),
  );
}

describe('whatever the strategy', () => {
  test('thinking of earlier turns counts where no question is left behind it, and nowhere else', () => {
    lawOfFitted(strategies, (fitted, ledger) => {
      const newest = Math.max(
        -1,
        ...keptIn(fitted, ledger).filter((index) => ledger.questions?.[index] === 1),
      );
      for (const index of keptIn(fitted, ledger)) {
        if (fitted.changes[index] !== KEPT) continue;
        const woken = index > newest ? (ledger.idleTokens?.[index] ?? 0) : 0;
        expect(fitted.tokensAfter[index]).toBe(messageTokens(ledger, index) + woken);
      }
    });
  });

  test('the columns add up to the totals', () => {
    lawOfFitted(
      strategies,
      ({ tokens, tokensAfter }, ledger) => {
        expect(tokens.before).toBe(historyTokens(ledger));
        expect(tokens.after).toBe(tokensAfter.reduce((sum, each) => sum + each, tokens.requestOverhead));
      },
      ledgers,
    );
  });

  test('what was changed is within the budget, and the output beside it within the window', () => {
    lawOfFitted(strategies, ({ outcome, tokens, maxOutputTokens }, ledger, options) => {
      if (outcome !== 'fits' && outcome !== 'output_reduced') {
        expect(tokens.after).toBeLessThanOrEqual(tokens.budget);
        expect(maxOutputTokens).toBeGreaterThanOrEqual(options.minOutputTokens);
      } else expect(tokens.after).toBe(historyTokens(ledger));
      expect(tokens.after + maxOutputTokens).toBeLessThanOrEqual(options.contextWindowTokens ?? 0);
    });
  });

  test('but for a window, the protected front, the last user message and what follows stay as they are', () => {
    lawOfFitted(wholeTail, ({ changes, tokensAfter }, ledger) => {
      for (const index of indices(ledger)) {
        if (isEligible(ledger, index)) continue;
        expect(changes[index]).toBe(KEPT);
        expect(tokensAfter[index]).toBe(messageTokens(ledger, index));
      }
    });
  });

  test('its own result is left unchanged', () => {
    lawOfFitted(strategies, (fitted, ledger, options) => {
      // What a trim could not repair it may repair once the next strategy has dropped what was in its way.
      if (options.window?.repairs && !fitted.applied.includes('trim') && fitted.applied.length > 0) return;
      const left = keptIn(fitted, ledger);
      const pins = options.pins?.map((index) => left.indexOf(index)) ?? [];
      const again = runFit(resultOf(fitted, ledger), { ...options, pins }).decision;
      expect(['fits', 'output_reduced']).toContain(again.outcome);
    });
  });
});

test('nothing is done to what is pinned, and what is bound to nothing', () => {
  lawOfFitted(strategies, ({ changes, tokensAfter }, ledger, { pins = [], strategies: names }) => {
    if (names.includes('trim')) return;
    for (const index of pins.filter((pinned) => pinned < changes.length)) {
      expect(changes[index]).toBe(KEPT);
      expect(tokensAfter[index]).toBe(messageTokens(ledger, index));
    }
  });
});

test('every strategy says before what it asks to be cut, and how far it can go', () => {
  fc.assert(
    fc.property(ledgers, budgets, strategies, (ledger, budget, optionsOf) => {
      const options = optionsOf(budget);
      const { decision, asked } = runFit(ledger, options);
      expect(cuttableMessages(ledger, options)).toEqual(
        expect.arrayContaining(asked.flatMap(({ index, keepTokens }) => (keepTokens > 0 ? [index] : []))),
      );
      const isAboutSize = decision.outcome !== 'refused' || decision.hints.length > 0;
      if (isAboutSize && leastTokens(ledger, options) <= budget) expect(decision.outcome).not.toBe('refused');
    }),
    runs(1000),
  );
});

describe('even shares', () => {
  test('take no more than is needed, in the share and in the whole', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.array(fc.integer({ min: 1, max: 500 })),
        (excess, later) => {
          const capacity = later.reduce((sum, each) => sum + each, 0);
          const share = evenShare(excess, later.length, capacity);
          expect(share).toBeGreaterThan(0);
          expect(share).toBeLessThanOrEqual(excess);
          expect(share + capacity).toBeGreaterThanOrEqual(excess);
        },
      ),
    );
    lawOfFitted(fc.constant(truncating), ({ outcome, tokens }) => {
      if (outcome === 'truncated') expect(tokens.after).toBeGreaterThanOrEqual(tokens.budget - SLACK_TOKENS);
    });
  });

  test('a larger budget shrinks nobody', () => {
    fc.assert(
      fc.property(ledgers, budgets, fc.nat(300), (ledger, budget, more) => {
        const smaller = runFit(ledger, truncating(budget)).decision;
        const larger = runFit(ledger, truncating(budget + more)).decision;
        if (smaller.outcome === 'refused') return;
        const fitted = larger as Fitted;
        expect(larger.outcome).not.toBe('refused');
        for (const index of indices(ledger)) {
          expect(fitted.tokensAfter[index]).toBeGreaterThanOrEqual(smaller.tokensAfter[index] ?? 0);
        }
      }),
      runs(1000),
    );
  });

  test('nothing above the floor falls below it, and what is at the floor is left alone', () => {
    lawOfFitted(fc.constant(truncating), ({ cuts }, ledger) => {
      for (const cut of cuts) {
        expect(cut.contentTokens).toBeGreaterThanOrEqual(FLOOR_WITH_MARKER);
        expect(cut.contentTokens).toBeLessThan(ledger.contentTokens[cut.index] ?? 0);
      }
    });
  });

  test('are refused exactly when all messages at the floor are still too much', () => {
    expectRefusedExactlyWhen(truncating, (ledger) =>
      indices(ledger).reduce((sum, index) => {
        const content = ledger.contentTokens[index] ?? 0;
        const smallest = isEligible(ledger, index) ? Math.min(content, FLOOR_WITH_MARKER) : content;
        return sum + messageTokens(ledger, index) - content + smallest;
      }, ledger.requestOverheadTokens),
    );
  });
});

describe('dropped turns', () => {
  test('are whole, oldest first, and no more than needed', () => {
    lawOfFitted(fc.constant(dropping), ({ tokens, drops, tokensAfter }, ledger) => {
      const turns = turnsOf(ledger);
      expect(drops).toEqual(turns.slice(0, drops.length));
      for (const index of drops.flat()) expect(tokensAfter[index]).toBe(0);
      const lastDropped = drops.at(-1) ?? [];
      const withLast = lastDropped.reduce((sum, index) => sum + messageTokens(ledger, index), tokens.after);
      if (lastDropped.length > 0) expect(withLast).toBeGreaterThan(tokens.budget);
    });
  });

  test('are refused exactly when all turns but the last are not enough', () => {
    expectRefusedExactlyWhen(dropping, (ledger) =>
      turnsOf(ledger)
        .flat()
        .reduce((sum, index) => sum - messageTokens(ledger, index), historyTokens(ledger)),
    );
  });
});

function expectRefusedExactlyWhen(
  optionsOf: (budget: number) => FitOptions,
  smallestTokens: (ledger: Ledger) => number,
): void {
  fc.assert(
    fc.property(unboundLedgers, fc.integer({ min: -5, max: 5 }), (ledger, distance) => {
      const budget = smallestTokens(ledger) + distance;
      const { decision } = runFit(ledger, optionsOf(budget));
      expect(decision.outcome === 'refused').toBe(distance < 0);
      if (decision.outcome !== 'refused') return;
      expect(decision.figures.shortfall).toBe(-distance);
      expect(sumOfUnshrinkable(decision)).toBe(decision.figures.historyTokensAfter);
    }),
    runs(1000),
  );
}

function sumOfUnshrinkable(decision: Decision): number {
  if (decision.outcome !== 'refused') return 0;
  return decision.unshrinkable.reduce(
    (sum, entry) => sum + entry.contentTokens + entry.attachmentTokens + entry.otherTokens,
    0,
  );
}

/** The slow obvious version: every turn that may be dropped, by walking over all messages. */
function turnsOf(ledger: Ledger): number[][] {
  const turns: number[][] = [];
  for (const index of indices(ledger)) {
    if (!isEligible(ledger, index)) continue;
    if (ledger.isUser[index] === 1) turns.push([index]);
    else turns.at(-1)?.push(index);
  }
  return turns;
}

const keptIn = (fitted: Fitted, ledger: Ledger) =>
  indices(ledger).filter((index) => fitted.changes[index]?.action !== 'dropped');

/** The ledger of the conversation that a decision leaves. */
function resultOf(fitted: Fitted, ledger: Ledger): Ledger {
  const left = keptIn(fitted, ledger);
  const noted = new Set(fitted.attachmentNotes.map(({ index }) => index));
  const contentAfter = ledger.contentTokens.slice();
  for (const cut of fitted.cuts) contentAfter[cut.index] = cut.contentTokens;
  const pick = (column: Int32Array) => Int32Array.from(left, (index) => column[index] ?? 0);
  const newest = Math.max(-1, ...left.filter((index) => ledger.questions?.[index] === 1));
  const idleAt = (index: number) => ledger.idleTokens?.[index] ?? 0;
  return {
    contentTokens: pick(contentAfter),
    attachmentTokens: Int32Array.from(left, (index) =>
      noted.has(index) ? 0 : (ledger.attachmentTokens[index] ?? 0),
    ),
    otherTokens: Int32Array.from(
      left,
      (index) =>
        (ledger.otherTokens[index] ?? 0) +
        (noted.has(index) ? NOTE_TOKENS : 0) +
        (index > newest ? idleAt(index) : 0),
    ),
    idleTokens: Int32Array.from(left, (index) => (index > newest ? 0 : idleAt(index))),
    questions: Uint8Array.from(left, (index) => ledger.questions?.[index] ?? 0),
    boundTokens: new Int32Array(left.length),
    units: Int32Array.from(left, (index) => left.indexOf(ledger.units[index] ?? -1)),
    unitFaults: Uint8Array.from(left, (index) => ledger.unitFaults[index] ?? 0),
    roles: Uint8Array.from(left, (index) => ledger.roles[index] ?? 0),
    isUser: Uint8Array.from(left, (index) => ledger.isUser[index] ?? 0),
    protectedCount: ledger.protectedCount,
    rolesAlternate: ledger.rolesAlternate ?? false,
    startsWithUser: ledger.startsWithUser ?? false,
    endsWithUser: ledger.endsWithUser ?? false,
    requestOverheadTokens: ledger.requestOverheadTokens,
  };
}
