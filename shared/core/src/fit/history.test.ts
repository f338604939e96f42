import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ledger } from '../ledger.js';
import { History } from './history.js';
import { ledgers } from './testing/generated-ledgers.js';

/** Ledgers of which parts of the other tokens are bound to what stands before them. */
const boundLedgers = fc.tuple(ledgers, fc.array(fc.nat(5), { minLength: 12, maxLength: 12 })).map(
  ([ledger, bound]): Ledger => ({
    ...ledger,
    idleTokens: undefined,
    boundTokens: ledger.otherTokens.map((tokens, index) => Math.min(tokens, bound[index] as number)),
  }),
);
const changes = fc.array(fc.record({ at: fc.nat(11), isDrop: fc.boolean(), tokens: fc.nat(60) }), {
  maxLength: 8,
});
const CHANGE = { action: 'cut', reason: null } as const;
const DROP = { action: 'dropped', reason: null } as const;

test('what is bound goes with the first change before it, once, and sums hold', () => {
  fc.assert(
    fc.property(boundLedgers, changes, (ledger, steps) => {
      const history = new History(ledger, { tokens: 0 });
      const length = ledger.isUser.length;
      let first = length;
      for (const { at, isDrop, tokens } of steps) {
        if (at >= length || history.isDropped(at)) continue;
        first = Math.min(first, at);
        if (isDrop) history.recordDrop(at, at + 1, DROP);
        else history.recordCut({ index: at, textIndex: 0, keepBytes: 0, contentTokens: tokens }, CHANGE);
      }
      const after = history.tokensAfter();
      expect(history.tokens).toBe(after.reduce((sum, tokens) => sum + tokens, ledger.requestOverheadTokens));
      for (let index = 0; index < length; index++) {
        if (history.isDropped(index)) continue;
        const bound = index >= first ? (ledger.boundTokens[index] as number) : 0;
        expect(history.otherTokens[index]).toBe((ledger.otherTokens[index] as number) - bound);
      }
    }),
  );
});
