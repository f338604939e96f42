import Type, { type Static } from 'typebox';

const dollars = (description: string) => Type.Number({ minimum: 0, description });

const inputCost = {
  input: dollars('Of the input, if none of it is remembered by the provider.'),
  cached_input: Type.Union([dollars('Of the input, if all of it is.'), Type.Null()], {
    description: 'Null where the provider asks the same for it, or the price is not known.',
  }),
};

const requestCost = Type.Object({
  ...inputCost,
  output: dollars('Of the output, if all that is asked for is written.'),
});

const origin = {
  currency: Type.Literal('USD'),
  without_attachments: Type.Optional(
    Type.Boolean({
      description:
        'Attachments are counted as the text that goes over the wire, which nobody asks a price for.',
    }),
  ),
  source: Type.String({ description: 'Of the prices.' }),
  date: Type.String({ description: 'Of the source.' }),
};

const WHEN_ABSENT = 'Absent where the price is not known, as on clouds and of fine-tunes; never a guess.';

/** What a request costs as it came, and as it is answered. */
export const preflightCost = Type.Object(
  { ...origin, before: requestCost, after: requestCost },
  { description: `By the list prices of the model's maker. ${WHEN_ABSENT}` },
);

/** What the input of a request costs. */
export const countCost = Type.Object(
  { ...origin, ...inputCost },
  { description: `By the list prices of the model's maker. ${WHEN_ABSENT}` },
);

export type PreflightCost = Static<typeof preflightCost>;
export type CountCost = Static<typeof countCost>;
