import { ACCOUNTINGS, GATES } from '@preflight/accounting';
import {
  DEFAULT_STRATEGY,
  type RoleOfType,
  STRATEGIES,
  TEXT_SPLITTERS,
  TRIM_MESSAGES,
  TYPE_OF_ROLE,
} from '@preflight/core';
import { DEFAULT_FORMAT, FORMATS } from '@preflight/formats';
import Type, { type Static, type TSchema } from 'typebox';
import { attachmentFactsList } from './attachment-facts.js';
import { pins, trimWindow, truncateOptions } from './fit-options.js';

const tokens = (description: string, options: { minimum?: number; default?: number } = {}) =>
  Type.Integer({ maximum: 1_000_000_000, ...options, description });

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

const namesOf = <Name extends string>(choices: Readonly<Record<Name, unknown>>) =>
  Object.keys(choices) as Name[];

/** Each choice with what it is: "`name` description; `name` …". */
const explained = (choices: Readonly<Record<string, { readonly description: string }>>) =>
  Object.entries(choices)
    .map(([name, { description }]) => `\`${name}\` ${description}`)
    .join('; ');

const strategy = Type.Enum(namesOf(STRATEGIES));

/** A provider's request, nested or flat, and how to read it. */
const requestFields = {
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
const conversationFields = {
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

const messageType = Type.Enum(Object.keys(TYPE_OF_ROLE) as RoleOfType[]);

/** One type, several, or none. */
const messageTypes = (description: string) =>
  Type.Optional(Type.Union([messageType, Type.Array(messageType), Type.Null()], { description }));

/** The only counter that estimates; also of `/v1/count`. */
const APPROXIMATE = 'approximate';

/** Options of langchain-core's function (langchain-trim.md, section 1). */
const trimOptions = Type.Object(
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

export const preflightRequest = Type.Object(
  {
    ...conversationFields,
    context_window: Type.Optional(
      tokens("Context window in tokens, in place of the model's.", { minimum: 0 }),
    ),
    budget_tokens: Type.Optional(
      tokens('Most tokens the history may have, in place of the budget computed from the window.'),
    ),
    max_request_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          "Most bytes that the provider's request may have as compact JSON in UTF-8, as front ends limit it; strategies go on until both budgets hold. Measured is the request as it stands here, flat or under `request`, with files that are named by digest written out: leave room for what you add. A cut for bytes keeps 128 of them. Costs a pass over the request.",
      }),
    ),
    max_output_tokens: Type.Optional(
      tokens("Requested output. Default: the model's output limit, 8192 if unknown.", { minimum: 0 }),
    ),
    min_output_tokens: Type.Optional(
      tokens('Smallest acceptable output; above it the output is shrunk before history is touched.', {
        minimum: 0,
        default: 64,
      }),
    ),
    reasoning_tokens: Type.Optional(
      tokens(
        'Output kept for reasoning beside the minimal output, since reasoning is output that nobody reads. Gain: an answer is left. Cost: less history fits a shared window. Default: the budget that the request itself states (`thinking.budget_tokens` and its like), else none.',
        { minimum: 0 },
      ),
    ),
    visible_output_tokens: Type.Optional(
      tokens(
        'Answer that is wanted beside any reasoning. Decides nothing: where the output leaves no room for both, a warning says so, and `limits` how much would.',
        { minimum: 0 },
      ),
    ),
    buffer_tokens: Type.Optional(
      tokens('Safety margin for what no count can know.', { minimum: 0, default: 300 }),
    ),
    strategy: Type.Optional(
      Type.Union(
        [
          Type.Enum([...namesOf(STRATEGIES), TRIM_MESSAGES.name]),
          Type.Array(strategy, { minItems: 1, uniqueItems: true }),
        ],
        {
          default: DEFAULT_STRATEGY,
          description: `What to do when shrinking the output is not enough, or a list: each is tried on what the earlier ones left, until the conversation fits. ${explained(STRATEGIES)}. Alone, with options of its own and no others: \`${TRIM_MESSAGES.name}\` ${TRIM_MESSAGES.description}.`,
        },
      ),
    ),
    [TRIM_MESSAGES.name]: Type.Optional(trimOptions),
    summary: Type.Optional(
      Type.String({
        description:
          'What is to be known of messages that are not in the conversation any more. Counts, and stands at the end of the system message or field of the result, in place of an earlier one; always, at the price of its tokens. Where there is none, one is made, which belongs to `request_overhead`; not in `langroid`, whose first message is protected whatever it is.',
      }),
    ),
    facts: Type.Optional(
      Type.Object(
        {},
        { ...openObject, description: 'The same as facts: a line each, in the order of their names.' },
      ),
    ),
    summary_tokens: Type.Optional(
      tokens(
        'Room for a summary of what is left out: kept free once the history has to be compressed, which then keeps less.',
        { minimum: 0, default: 0 },
      ),
    ),
    left_out_texts: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Answers with the texts of dropped messages as well (`left_out.messages`).',
      }),
    ),
    attachments: Type.Optional(
      Type.Union([Type.Enum(['keep', 'elide_oldest']), attachmentFactsList], {
        default: 'keep',
        description: `\`elide_oldest\` puts \`${STRATEGIES.elide_attachments.name}\` in front of the strategies: attachments go before any text does. Or what is known of attachments, by \`pointer\`.`,
      }),
    ),
    gate: Type.Optional(
      Type.Enum([...GATES], {
        default: 'high',
        description:
          'With `accounting: "provider"`: `high` decides by the most that attachments can cost, so that no attachment makes the provider refuse what fits (texts of models without a public vocabulary count by their best figure, whose bounds are in `totals`); history may go that could have stayed, and what cannot be seen may not fit at all. `point` decides by the best figure, so that nothing goes for a mere margin; the provider may refuse.',
      }),
    ),
    pins: Type.Optional(pins),
    truncate: Type.Optional(truncateOptions),
    trim: Type.Optional(trimWindow),
    return: Type.Optional(
      Type.Enum(['edits', 'conversation'], {
        default: 'edits',
        description: '`edits` answers with the changes only; `conversation` adds the edited request.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const countRequest = Type.Object(
  {
    ...conversationFields,
    text: Type.Optional(Type.String({ description: 'One text to count, in place of a conversation.' })),
    attachments: Type.Optional({
      ...attachmentFactsList,
      description:
        'What is known of attachments: of parts of the conversation, by `pointer`, or of others that count beside it, with or without a conversation. Those count with `accounting: "provider"` only.',
    }),
    token_counter: Type.Optional(
      Type.Enum([APPROXIMATE], {
        description:
          'Counts messages as langchain-core does without a tokenizer: quarters of their characters, 3 a message, 85 an image.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const checkRequest = Type.Object(
  {
    ...requestFields,
    repair: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Adds the smallest legal version. Gain: the provider takes it. Cost: what breaks a rule is left out, such as a call whose result was lost; the edits say what. Nothing is invented.',
      }),
    ),
    return: Type.Optional(
      Type.Enum(['edits', 'conversation'], {
        default: 'edits',
        description:
          'With `repair`: `edits` answers with the changes only; `conversation` adds the repaired request.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** How both calls that count may be asked to answer. */
export const callHeaders = Type.Object({
  prefer: Type.Optional(
    Type.String({
      description:
        '`respond-async`: the call becomes a job, answered with 202 and its `Location`. With `wait=10` beside it, the caller is answered as usual if that takes no longer than so many seconds.',
    }),
  ),
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Any name of visible ASCII characters. The same request with the same key is the same job, also while it runs, and is answered the same; another request with it is refused with 409. Requests are the same if their bodies are, byte for byte: one more space makes another. Remembered as long as the result.',
    }),
  ),
});

/** A preflight in the strict mode. */
export type TrimRequest = PreflightRequest & { readonly strategy: typeof TRIM_MESSAGES.name };
export type TrimMessagesOptions = Static<typeof trimOptions>;
export type PreflightRequest = Static<typeof preflightRequest>;
export type CountRequest = Static<typeof countRequest>;
export type CheckRequest = Static<typeof checkRequest>;
