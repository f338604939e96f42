import { FIGURE_BASES } from '@preflight/accounting';
import Type, { type Static } from 'typebox';

export const basis = Type.Enum([...FIGURE_BASES], {
  description:
    '`exact`: a published encoding on plain text. `formula`: a published rule, or one that reproduces measurements. `estimate`: a guess, with a margin. `bound`: nothing is known but what it can be at most.',
});

export const low = Type.Integer({ description: 'What it can be at least.' });
export const high = Type.Integer({ description: 'What it can be at most.' });

/** Tokens of a request. */
export const total = Type.Object({
  tokens: Type.Integer({ description: 'The best single number.' }),
  low,
  high,
  basis,
});

/** Tokens, and how they are known. */
export const figure = Type.Object({
  tokens: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The best single number; null for what the provider refuses.',
  }),
  low,
  high,
  basis,
  rule: Type.String({ description: 'Id of the rule; see the page on accounting rules.' }),
  rule_date: Type.String({ description: 'The month in which the rule was looked up.' }),
});

/** An attachment by both accountings. */
export const attachmentRow = Type.Object({
  index: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Message that it is part of; null for one that was stated beside the conversation.',
  }),
  position: Type.Integer({
    minimum: 0,
    description: 'Which of the attachments of its message, or of those beside the conversation.',
  }),
  kind: Type.Union([Type.String(), Type.Null()], {
    description: '`image`, `pdf`, `audio`, `video` or `text`; null if that is not known.',
  }),
  tokens: Type.Union([Type.Integer(), Type.Null()], {
    description: 'What counts, by the accounting that decides; null for what the provider refuses.',
  }),
  low,
  high: Type.Integer({ description: 'What it can be at most, by either accounting.' }),
  basis,
  error: Type.Optional(
    Type.String({
      description:
        'Why the provider would refuse it: `image_rejected`, `image_dimension_limit`, `page_limit`.',
    }),
  ),
  unreadable: Type.Optional(
    Type.String({
      description:
        'Why the file cannot be read as what it is said to be: `empty`, `not_here` (by URL or id), `no_base64`, `other_kind` (than is stated), `unknown_type`, `damaged`, `encrypted`, `too_large`, `took_too_long`.',
    }),
  ),
  same_as: Type.Optional(
    Type.Object(
      { index: Type.Integer({ minimum: 0 }), position: Type.Integer({ minimum: 0 }) },
      { description: 'A note stands in its place, and the same attachment is kept there.' },
    ),
  ),
  provider: Type.Union([figure, Type.Null()], { description: 'What the provider makes of it.' }),
  payload: Type.Union([figure, Type.Null()], {
    description: 'The text that goes over the wire; null for what was only stated.',
  }),
});

export const attachmentRows = Type.Array(attachmentRow, {
  description: 'Attachments by both accountings, in the order of messages; absent if there are none.',
});

export type FigureRow = Static<typeof figure>;
export type AttachmentRow = Static<typeof attachmentRow>;
