import fc from 'fast-check';
import type { Message } from '../../conversation.js';
import { columnOfCopies } from '../../copies.js';
import type { Ledger } from '../../ledger.js';
import { finish } from '../../steps.js';
import { ledgerRoles, type Order as OrderOfCalls, questionColumn, turnStarts, unitsOf } from '../../units.js';

type Shape = Pick<Message, 'role' | 'calls' | 'results' | 'hasUnsignedCall'>;

const lone = (role: string): Shape[] => [{ role }];

/** A call and its results, one of which may be missing, and perhaps something in between. */
const toolUnit = fc
  .record({
    resultCount: fc.integer({ min: 1, max: 2 }),
    isMissing: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
    between: fc.option(fc.constantFrom('user', 'assistant'), { freq: 6 }),
    id: fc.integer(),
    hasUnsignedCall: fc.boolean(),
  })
  .map(({ resultCount, isMissing, between, id, hasUnsignedCall }): Shape[] => {
    const calls = Array.from({ length: resultCount }, (_, i) => `${id}-${i}`);
    const answered = isMissing ? calls.slice(1) : calls;
    const results = answered.map((result) => ({ role: 'tool', results: [result] }));
    return [{ role: 'assistant', calls, hasUnsignedCall }, ...(between ? lone(between) : []), ...results];
  });

const shapes = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constant(lone('user')) },
      { weight: 3, arbitrary: fc.constant(lone('assistant')) },
      { weight: 3, arbitrary: toolUnit },
      fc.constant(lone('system')),
      { weight: 1, arbitrary: fc.constant(lone('critic')) },
    ),
    { maxLength: 8 },
  )
  .map((blocks) => blocks.flat());

const tokens = fc.record({
  content: fc.oneof(fc.nat(60), fc.nat(600)),
  attachment: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(100)),
  other: fc.nat(5),
  bound: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(50)),
  idle: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(50)),
});

type Order = OrderOfCalls & Pick<Ledger, 'startsWithUser' | 'endsWithUser'>;

/** What providers ask of the order of messages: most nothing, others turns. */
const orders = fc.constantFrom<Order>(
  {},
  { resultsFollowCalls: true },
  { rolesAlternate: true },
  { rolesAlternate: true, endsWithUser: true },
  { rolesAlternate: true, startsWithUser: true },
  { rolesAlternate: true, callsFollowUser: true },
  { callsAreSigned: true },
  { rolesAlternate: true, callsFollowUser: true, callsAreSigned: true },
);

/** Conversations of up to some twenty messages, as their tokens; a few have faulty calls or results. */
export const ledgers: fc.Arbitrary<Ledger> = shapes.chain((messages) =>
  fc
    .tuple(
      fc.array(tokens, { minLength: messages.length, maxLength: messages.length }),
      fc.nat(2),
      fc.nat(40),
      orders,
    )
    .map(([columns, protectedCount, requestOverheadTokens, order]): Ledger => {
      const all = messages.map((shape) => ({ ...shape, texts: [], attachments: [] }));
      const { units, unitFaults } = finish(unitsOf(all, order));
      const boundTokens = Int32Array.from(columns, ({ bound }, index) =>
        messages[index]?.role === 'assistant' ? bound : 0,
      );
      const questions = questionColumn(all);
      const newestQuestion = questions.lastIndexOf(1);
      return {
        // Behind the front: where thinking may be idle, that is instructions alone.
        idleTokens: Int32Array.from(columns, ({ idle }, index) =>
          messages[index]?.role === 'assistant' &&
          index < newestQuestion &&
          (units[index] ?? 0) >= protectedCount
            ? idle
            : 0,
        ),
        questions,
        contentTokens: Int32Array.from(columns, ({ content }) => content),
        attachmentTokens: Int32Array.from(columns, ({ attachment }, index) =>
          messages[index]?.role === 'user' ? attachment : 0,
        ),
        otherTokens: Int32Array.from(columns, ({ other }, index) => other + (boundTokens[index] ?? 0)),
        boundTokens,
        units,
        unitFaults,
        roles: ledgerRoles(all),
        isUser: turnStarts(all, units),
        copies: copiesAmong(columns, messages),
        protectedCount,
        rolesAlternate: order.rolesAlternate ?? false,
        startsWithUser: order.startsWithUser ?? false,
        endsWithUser: order.endsWithUser ?? false,
        requestOverheadTokens,
      };
    }),
);

/** Most attachments are one of two files. */
function copiesAmong(
  columns: readonly { readonly attachment: number }[],
  messages: readonly Shape[],
): Int32Array {
  const copies = columns.flatMap(({ attachment: tokens }, index) =>
    messages[index]?.role === 'user' && tokens % 3 > 0
      ? [{ index, position: 0, content: tokens % 3, tokens, bytes: 0 }]
      : [],
  );
  return columnOfCopies(copies);
}

/** The same without anything that is bound to what stands before it. */
export const unboundLedgers: fc.Arbitrary<Ledger> = ledgers.map((ledger) => ({
  ...ledger,
  otherTokens: ledger.otherTokens.map((tokens, index) => tokens - (ledger.boundTokens[index] ?? 0)),
  boundTokens: new Int32Array(ledger.boundTokens.length),
}));
