import { ACCOUNTINGS } from '@preflight/accounting';
import { DEFAULT_FORMAT, FORMATS } from '@preflight/formats';
import Type, { type Static, type TSchema } from 'typebox';
import { explained, namesOf } from './choices.js';

const openObject = { additionalProperties: true };

/** Open, because what stands in a message is the format's affair, which tells faults with their place. */
const message = Type.Object(
  {},
  {
    ...openObject,
    description:
      'A message in the format named by `format`. Fields that Preflight does not know are kept and returned.',
    examples: [{ role: 'user', content: 'Hello' }],
  },
);

/** Clients write null for what they leave out of the provider's request. */
const orNull = <Schema extends TSchema & { type: string }>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] });

/** A provider's request, nested or flat, and how to read it. */
export const requestFields = {
  model: Type.Optional(
    orNull(
      Type.String({
        maxLength: 256,
        description:
          'Model name as the provider, a gateway or a cloud takes it; decides encoding, window and limits. Empty is as if it were left out.',
      }),
    ),
  ),
  request: Type.Optional(
    Type.Object({}, { ...openObject, description: "The provider's request, in its own format." }),
  ),
  messages: Type.Optional(Type.Array(message, { description: 'Messages, flat, in place of `request`.' })),
  tools: Type.Optional(
    orNull(Type.Array(Type.Object({}, openObject), { description: 'Tool schemas, beside flat `messages`.' })),
  ),
  tool_choice: Type.Optional(Type.Unknown({ description: 'As in the request, beside flat `messages`.' })),
  functions: Type.Optional(
    orNull(
      Type.Array(Type.Object({}, openObject), {
        description: 'Legacy function schemas, beside flat `messages`.',
      }),
    ),
  ),
  function_call: Type.Optional(
    Type.Unknown({ description: 'Legacy; as in the request, beside flat `messages`.' }),
  ),
  system: Type.Optional(
    Type.Unknown({ description: 'As in the request, beside flat `messages`, of formats that have it.' }),
  ),
  response_format: Type.Optional(
    Type.Unknown({ description: 'As in the request, beside flat `messages`; its schema counts.' }),
  ),
  format: Type.Optional(
    Type.Enum(namesOf(FORMATS), {
      description: `Format of the conversation. Default: told from the shape of \`request\`; \`${DEFAULT_FORMAT}\` if flat. ${explained(FORMATS)}.`,
    }),
  ),
};

/** What both calls that count take beside their own options. */
export const conversationFields = {
  ...requestFields,
  encoding: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Encoding to count with, in place of the model's; see `GET /v1/encodings`.",
    }),
  ),
  count: Type.Optional(
    Type.Enum(['request', 'content'], {
      default: 'request',
      description:
        '`request` counts all that is sent: text, attachments, names, tool calls, tool schemas and chat overhead. `content` counts text and attachments only.',
    }),
  ),
  accounting: Type.Optional(
    Type.Enum([...ACCOUNTINGS], {
      description:
        '`payload` counts an attachment as the text that goes over the wire: right where base64 stands in a text, and the worst case. `provider` counts what the provider makes of it: pixels, pages, seconds; an estimate, by dated rules. Both figures are always told. Default: the server’s, `PREFLIGHT_ACCOUNTING`.',
    }),
  ),
  agent: Type.Optional(
    Type.String({
      maxLength: 256,
      description:
        'Who asks: any name. Only used to log the `attachment_estimate` warning once for each agent.',
    }),
  ),
};
