import { type RoleOfType, TEXT_SPLITTERS, TRIM_MESSAGES, TYPE_OF_ROLE } from '@preflight/core';
import Type, { type Static } from 'typebox';
import { tokens } from './tokens.js';

const messageType = Type.Enum(Object.keys(TYPE_OF_ROLE) as RoleOfType[]);

/** One type, several, or none. */
const messageTypes = (description: string) =>
  Type.Optional(Type.Union([messageType, Type.Array(messageType), Type.Null()], { description }));

/** The only counter that estimates; also of `/v1/count`. */
export const APPROXIMATE = 'approximate';

/** Options of langchain-core's function (langchain-trim.md, section 1). */
export const trimOptions = Type.Object(
  {
    max_tokens: tokens('Most tokens of the result, as the counter counts them. 0 and less are legal.'),
    token_counter: Type.Union(
      [
        Type.Enum(['len', APPROXIMATE]),
        Type.Object(
          {
            encoding: Type.String({ minLength: 1, maxLength: 64 }),
            per_message_tokens: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
          },
          { additionalProperties: false },
        ),
      ],
      {
        description:
          '`len` counts messages; `approximate` quarters of characters, as langchain-core does; an encoding counts tokens of texts, names and tool calls, 85 an image, and so many a message.',
      },
    ),
    strategy: Type.Optional(
      Type.String({
        maxLength: 64,
        default: 'last',
        description: '`last` keeps the newest messages, `first` the oldest.',
      }),
    ),
    allow_partial: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether the message at the boundary may be shortened.' }),
    ),
    end_on: messageTypes('Types on one of which the result must end.'),
    start_on: messageTypes('Types on one of which the result must start; with `last` only.'),
    include_system: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Keeps a system message in front, whether it fits or not; with `last` only.',
      }),
    ),
    text_splitter: Type.Optional(
      Type.Enum([...TEXT_SPLITTERS], {
        default: TEXT_SPLITTERS[0],
        description: 'What `allow_partial` leaves out of a text: whole lines, or whole words.',
      }),
    ),
  },
  { additionalProperties: false, description: `Options of the strategy \`${TRIM_MESSAGES.name}\`.` },
);

export type TrimMessagesOptions = Static<typeof trimOptions>;
