import { CUT_SIDES, LEDGER_ROLES, type LedgerRole } from '@preflight/core';
import Type, { type Static } from 'typebox';

const role = Type.Enum([...LEDGER_ROLES]);
const roles = (description: string) =>
  Type.Optional(Type.Union([role, Type.Array(role, { uniqueItems: true })], { description }));

/** How a window of the newest messages is chosen. */
export const trimWindow = Type.Object(
  {
    start_on: roles(
      'What the window begins with behind the system messages, whatever the budget: nothing that is older is kept. By default `user`, and only where something has to go. An empty list keeps more; where the provider refuses what begins with an answer, the window begins further on.',
    ),
    end_on: roles(
      'What the window ends with, whatever the budget: nothing that is newer is kept. By default whatever comes last. An answer at the end is refused with `no_end_match` where the model does not go on with one.',
    ),
    pin_newest_user: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Keeps the newest user message, at the price of newer messages that it leaves no room for. Without it a long loop of tools may push out the request that it serves.',
      }),
    ),
    shorten: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'The oldest unit of the window may be cut to fit. More is kept, but not all of it verbatim. Arguments of calls are never cut.',
      }),
    ),
    repair: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Leaves out calls and results that do not belong together, or stand where the provider does not take them, with all of their unit, in place of a refusal; and an answer at the end that the model does not go on with.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Options of the strategy `trim`.' },
);

const messageIndex = Type.Integer({ minimum: 0, description: 'Position in the input.' });

/** Messages that stay as they are. */
export const pins = Type.Array(messageIndex, {
  maxItems: 10_000,
  description:
    'Messages that no strategy may touch; a turn or unit stays with what is pinned in it, and the whole turn where roles alternate. What they keep, others have to give, and too many of them leave nothing that could make room.',
});

const side = Type.Optional(Type.Enum([...CUT_SIDES]));

/** How old messages are shortened. */
export const truncateOptions = Type.Object(
  {
    max_min: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Cuts to a common level, as high as the budget allows, in place of shares of the excess one after the other: small messages stay whole, large ones give more, and the order of messages does not matter.',
      }),
    ),
    cut: Type.Optional(
      Type.Object(
        { system: side, user: side, assistant: side, tool: side, function: side } satisfies Record<
          LedgerRole,
          unknown
        >,
        {
          additionalProperties: false,
          description:
            'What is kept of messages of a role when they are cut: the `head` (default), the `tail`, as of logs that end with what went wrong, or both, with the `middle` cut out, at the price of half of each. Content of several texts keeps its head.',
        },
      ),
    ),
    weights: Type.Optional(
      Type.Array(
        Type.Object(
          {
            index: messageIndex,
            weight: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }),
          },
          { additionalProperties: false },
        ),
        {
          maxItems: 10_000,
          description:
            'Of messages that matter more (above 1) or less (below): their level is so many times the common one, at the price of all others. Goes by `max_min`.',
        },
      ),
    ),
  },
  { additionalProperties: false, description: 'Options of the strategy `truncate`.' },
);

export type WindowRequest = Static<typeof trimWindow>;
