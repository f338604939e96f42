import { TEXT_KINDS } from '@preflight/core';
import Type, { type Static } from 'typebox';

const tokens = (description?: string) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, ...(description === undefined ? {} : { description }) });

/** What a provider charged for a request, against what was said of it. */
export const calibrationRequest = Type.Object({
  model: Type.String({ minLength: 1, maxLength: 200, description: 'As requests name it.' }),
  actual_input_tokens: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: "Of the provider's `usage`, cached input included.",
  }),
  text_estimate: Type.Object(
    {
      counted: Type.Object(Object.fromEntries(TEXT_KINDS.map((kind) => [kind, Type.Optional(tokens())])), {
        additionalProperties: false,
      }),
      other_tokens: tokens(),
    },
    {
      description:
        'As it stands in the answer to the same request; only `counted` and `other_tokens` are looked at.',
      additionalProperties: true,
    },
  ),
  attachment_tokens: Type.Optional(
    tokens(
      'What the provider charged for attachments, if there were any. Without it requests with attachments teach nothing.',
    ),
  ),
});

const ratio = Type.Object({ tokens: Type.Number(), low: Type.Number(), high: Type.Number() });

const calibration = {
  model: Type.String(),
  samples: Type.Integer({ description: 'That are kept: the newest 200 at most.' }),
  rule: Type.String({
    description:
      'Whose ratios hold: `calibrated`, or that of the model until there are 5 samples against it.',
  }),
  rule_date: Type.String(),
  ratios: Type.Object(Object.fromEntries(TEXT_KINDS.map((kind) => [kind, ratio])), {
    description: 'Tokens of the model for one that is counted, by kind of text.',
  }),
};

export const calibrationResponse = Type.Object({
  ...calibration,
  taken: Type.Boolean({ description: 'Whether the sample is one to learn from.' }),
  reason: Type.Optional(
    Type.Enum(['too_small', 'implausible'], {
      description:
        'Why not: `too_small`, fewer than 100 counted tokens in the texts of the request; `implausible`, so far from the rule that it must be another request, or one with attachments.',
    }),
  ),
  detail: Type.Optional(Type.String({ description: 'The same in words, with figures.' })),
});

export const calibrationsResponse = Type.Object({ calibrations: Type.Array(Type.Object(calibration)) });

export type CalibrationRequest = Static<typeof calibrationRequest>;
export type CalibrationResponse = Static<typeof calibrationResponse>;
export type CalibrationsResponse = Static<typeof calibrationsResponse>;
