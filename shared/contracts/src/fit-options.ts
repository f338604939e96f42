import { LEDGER_ROLES } from '@preflight/core';
import Type, { type Static } from 'typebox';

const role = Type.Enum([...LEDGER_ROLES]);
const roles = (description: string) =>
  Type.Optional(Type.Union([role, Type.Array(role, { uniqueItems: true })], { description }));

/** How a window of the newest messages is chosen. */
export const trimWindow = Type.Object(
  {
    start_on: roles(
      'What the window begins with behind the system messages, whatever the budget: nothing that is older is kept. By default `user`, and only where something has to go. An empty list keeps more, and some providers refuse what begins with an answer.',
    ),
    end_on: roles(
      'What the window ends with, whatever the budget: nothing that is newer is kept. By default whatever comes last.',
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
          'Leaves out calls and results that do not belong together, with all of their unit, in place of a refusal.',
      }),
    ),
  },
  { additionalProperties: false },
);

export type WindowRequest = Static<typeof trimWindow>;
