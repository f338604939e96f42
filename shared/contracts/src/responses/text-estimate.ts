import { TEXT_KINDS } from '@preflight/core';
import Type, { type Static } from 'typebox';
import { high, low } from './figure.js';

export const textEstimate = Type.Object(
  {
    tokens: Type.Integer({ description: 'Of all texts together, schemas and calls included.' }),
    low,
    high,
    basis: Type.Literal('estimate'),
    rule: Type.String({
      description: 'Whose ratios these are, such as `claude-4.7`; `calibrated` if learned from actual usage.',
    }),
    rule_date: Type.String({ description: 'The month in which the rule was looked up.' }),
    samples: Type.Optional(
      Type.Integer({ description: 'Of actual usage, that the ratios were learned from.' }),
    ),
    counted: Type.Partial(Type.Object(Object.fromEntries(TEXT_KINDS.map((kind) => [kind, Type.Integer()]))), {
      description: 'Tokens in `encoding` that were multiplied, by kind of text.',
    }),
    other_tokens: Type.Integer({ description: 'What stands around texts: formatting, hidden instructions.' }),
  },
  {
    description:
      "How texts were estimated, as the request was given. Only where the model's own vocabulary is not at hand and no `encoding` was asked for. Attachments are not in it.",
  },
);

export type TextEstimateInAnswer = Static<typeof textEstimate>;
