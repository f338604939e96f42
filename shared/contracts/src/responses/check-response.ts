import Type, { type Static } from 'typebox';
import { edit } from './edit.js';
import { warning } from './warning.js';

const verdict = {
  legal: Type.Boolean({ description: 'The provider would take it; advice may still be against it.' }),
  bytes: Type.Integer({ description: 'Of the request as compact JSON; flat, with its `model`.' }),
  violations: Type.Array(
    Type.Object({
      code: Type.String({ description: 'Stable name, such as `result_without_call`.' }),
      pointer: Type.String({ description: 'Where, as a JSON pointer.' }),
      rule: Type.String({ description: "The provider's rule, in words." }),
      match: Type.Union([Type.String(), Type.Null()], {
        description: "A piece of the provider's own refusal, where one is known.",
      }),
      source: Type.String({ description: 'Where the rule is known from.' }),
      as_of: Type.String({ description: 'The month in which it was looked up.' }),
      advice: Type.Boolean({
        description:
          'A matter of who stands between: taken by the provider and refused by some gateways, or the other way round.',
      }),
    }),
    { description: 'At most 100.' },
  ),
  violation_count: Type.Integer({ description: 'All of them.' }),
};

export const checkResponse = Type.Object({
  format: Type.String({ description: 'What the request was read as.' }),
  provider: Type.String({ description: 'Whose rules these are.' }),
  ...verdict,
  repaired: Type.Optional(
    Type.Object(
      {
        ...verdict,
        edits: Type.Array(edit, {
          description: 'What leads to the repaired request; empty if it is the given one.',
        }),
        warnings: Type.Array(warning, { description: 'What else the repaired request needs.' }),
        conversation: Type.Optional(Type.Object({}, { additionalProperties: true })),
      },
      {
        description:
          'The request with the least changes that mend it; violations that none could mend are places in it.',
      },
    ),
  ),
});

export type CheckResponse = Static<typeof checkResponse>;
