import {
  type FittedOutcome,
  OUTCOMES_IN_WORDS,
  TEXT_KINDS,
  TRIM_MESSAGES,
  WINDOW_TYPES,
} from '@preflight/core';
import Type, { type Static } from 'typebox';
import { countCost, preflightCost } from './cost.js';
import { attachmentRow, basis, total } from './figure.js';

const index = Type.Integer({ minimum: 0, description: 'Position in the input.' });

export const warning = Type.Object({
  code: Type.String({ description: 'Stable name, such as `attachment_estimate` or `unknown_model`.' }),
  detail: Type.String(),
});

const cache = Type.Object(
  { hits: Type.Integer(), misses: Type.Integer() },
  { description: 'Texts whose count was known, and texts that had to be counted.' },
);

/** Open, because there will be more of them. */
const kinds = (description: string) =>
  Type.Record(Type.String(), Type.Integer(), {
    description: `${description} Kinds without tokens are left out.`,
    examples: [{ formatting: 4, name: 2, tool_calls: 31, reasoning: 120 }],
  });

const messageTokens = {
  index,
  role: Type.String(),
  content_tokens: Type.Integer(),
  attachment_tokens: Type.Integer(),
  other_tokens: Type.Integer({
    description: 'Role, name, tool calls and overhead; 0 with `count: "content"`.',
  }),
  kinds: Type.Optional(
    kinds(
      'What the message has beside its own text and attachments, where that is more than formatting: `tool_results` are part of `content_tokens`, all others of `other_tokens`.',
    ),
  ),
};

const overhead = Type.Optional(
  Type.Object(
    {
      rule: Type.String({ description: 'Rule of the family of models.' }),
      basis: Type.Enum(['formula', 'estimate'], {
        description: '`formula` is published or reproduces live checks; `estimate` is a guess.',
      }),
      rules_version: Type.String(),
      kinds: kinds('What `request_overhead` is made of.'),
    },
    { description: 'How what is sent beside texts was told; absent with `count: "content"`.' },
  ),
);

export const textEstimate = Type.Object(
  {
    tokens: Type.Integer({ description: 'Of all texts together, schemas and calls included.' }),
    low: Type.Integer(),
    high: Type.Integer(),
    basis: Type.Literal('estimate'),
    rule: Type.String({
      description: 'Whose ratios these are, such as `claude-4.7`; `calibrated` if learned from actual usage.',
    }),
    rule_date: Type.String(),
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

const attachments = Type.Array(attachmentRow, {
  description: 'Attachments by both accountings, in the order of messages; absent if there are none.',
});

/** An object of the format's own; LangChain has bare texts among them. */
const contentPart = Type.Union([Type.Object({}, { additionalProperties: true }), Type.String()]);

const edit = Type.Union([
  Type.Object({ op: Type.Literal('drop'), index }),
  Type.Object({
    op: Type.Literal('replace_content'),
    index,
    content: Type.Union([Type.String(), Type.Array(contentPart)]),
  }),
  Type.Object({
    op: Type.Literal('insert'),
    before: Type.Integer({
      minimum: 0,
      description: 'Position in the input that it comes before; behind all if that is their number.',
    }),
    message: Type.Object({}, { additionalProperties: true }),
  }),
  Type.Object({
    op: Type.Literal('set'),
    pointer: Type.String({ description: 'Of a field of the request, as a JSON pointer.' }),
    value: Type.Unknown(),
  }),
]);

const hint = Type.Object({ code: Type.String(), detail: Type.String() });

const leftOut = Type.Object(
  {
    indices: Type.Array(index),
    tokens: Type.Integer(),
    digest: Type.String({
      description: 'Of roles and texts: the same messages have the same, wherever they stand.',
    }),
    messages: Type.Optional(
      Type.Array(Type.Object({ index, role: Type.String(), texts: Type.Array(Type.String()) }), {
        description: 'With `left_out_texts` only.',
      }),
    ),
  },
  { description: 'Messages that were dropped, for who wants to sum them up. Absent if none were.' },
);

const limit = Type.Enum(['context_window', 'max_input_tokens', 'max_output_tokens', 'budget_tokens']);

/** How input and output share the model's window, and where a request as it came is too large. */
const limits = Type.Object(
  {
    window_type: Type.Union([Type.Enum([...WINDOW_TYPES]), Type.Null()], {
      description: 'Null where the request states a budget and no window is known.',
    }),
    max_input_tokens: Type.Union([Type.Integer(), Type.Null()]),
    max_output_tokens: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Most that the model writes; null where that is not known.',
    }),
    reasoning_tokens: Type.Integer({ description: 'Of the output, for reasoning.' }),
    room_left: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Output that the window leaves beside the result and the buffer; null where they do not share it.',
    }),
    suggested_max_output_tokens: Type.Optional(
      Type.Integer({ description: 'Would leave room for reasoning and answer; absent where there is.' }),
    ),
    overflow: Type.Array(
      Type.Object({
        limit,
        tokens: Type.Integer({ description: 'So many too many.' }),
      }),
      {
        description:
          'Limits that the request as it came is above: with the output asked for, where they share a window; with the buffer, where input has a limit of its own.',
      },
    ),
  },
  { description: 'What the request has to keep, and by how much it did not.' },
);

/** What the answers about a conversation and about a list have in common. */
const changedMessages = {
  exact: Type.Boolean({ description: 'Every text was counted by its own encoding.' }),
  messages: Type.Array(
    Type.Object({
      ...messageTokens,
      tokens_after: Type.Integer(),
      action: Type.Enum(['kept', 'cut', 'dropped', 'elided']),
      reason: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  attachments: Type.Optional(attachments),
  overhead,
  text_estimate: Type.Optional(textEstimate),
  left_out: Type.Optional(leftOut),
  edits: Type.Array(edit, {
    description: 'Changes to make, ordered by index, `set` last; empty when nothing changes.',
  }),
  conversation: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'The edited request, in its own format.' }),
  ),
  warnings: Type.Array(warning),
  timing: Type.Object({
    queue_ms: Type.Number({ description: 'Waiting for a thread.' }),
    count_ms: Type.Number(),
    fit_ms: Type.Number(),
  }),
  cache,
};

export const preflightResponse = Type.Object({
  id: Type.String(),
  outcome: Type.Enum(Object.keys(OUTCOMES_IN_WORDS) as FittedOutcome[]),
  applied: Type.Array(Type.String(), {
    description: 'Strategies that changed something, in order; `outcome` is that of the last.',
  }),
  max_output_tokens: Type.Integer({ description: 'Output to request from the provider.' }),
  encoding: Type.String(),
  tokens: Type.Object({
    before: Type.Integer(),
    after: Type.Integer(),
    budget: Type.Integer(),
    context_window: Type.Union([Type.Integer(), Type.Null()]),
    request_overhead: Type.Integer({ description: 'Tool schemas and what belongs to no message.' }),
  }),
  limits,
  cost: Type.Optional(preflightCost),
  totals: Type.Object(
    { before: total, after: total },
    {
      description:
        'The request before and after, with how well that is known: exact only if all of it is. With `gate: "high"` attachments have their upper bound in `tokens`, and their best figure here.',
    },
  ),
  bytes: Type.Optional(
    Type.Object(
      { before: Type.Integer(), after: Type.Integer(), max: Type.Integer() },
      {
        description:
          'With `max_request_bytes`: bytes of the request as compact JSON in UTF-8, before and after the edits.',
      },
    ),
  ),
  ...changedMessages,
});

/** What `strategy: "trim_messages"` is answered with, whatever the hazards. */
export const trimmedResponse = Type.Object(
  {
    id: Type.String(),
    outcome: Type.Enum(['fits', TRIM_MESSAGES.outcome]),
    encoding: Type.Optional(Type.String({ description: 'Absent where no tokens were counted.' })),
    tokens: Type.Object(
      { before: Type.Integer(), after: Type.Integer(), budget: Type.Integer() },
      { description: "In the counter's unit; `budget` is `max_tokens`." },
    ),
    hazards: Type.Array(Type.String(), {
      description:
        'What a provider may refuse about the result: `orphan_tool_result:i`, `unanswered_tool_call:i` (positions in the input), `over_budget`, `empty`, `system_only`.',
    }),
    ...changedMessages,
  },
  { description: `Of the strategy \`${TRIM_MESSAGES.name}\`.` },
);

/** What a preflight is answered with: a conversation that was made to fit, or a list that was trimmed. */
export const preflightAnswer = Type.Union([preflightResponse, trimmedResponse]);

export const countResponse = Type.Object({
  tokens: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The best single number; null if the provider refuses an attachment that counts.',
  }),
  low: Type.Integer(),
  high: Type.Integer({ description: 'What it can be at most.' }),
  basis,
  encoding: Type.Optional(Type.String({ description: 'Absent where characters were counted.' })),
  exact: Type.Boolean(),
  request_overhead: Type.Optional(Type.Integer()),
  messages: Type.Optional(Type.Array(Type.Object(messageTokens))),
  attachments: Type.Optional(attachments),
  overhead,
  cost: Type.Optional(countCost),
  text_estimate: Type.Optional(textEstimate),
  warnings: Type.Array(warning),
  timing: Type.Object({ count_ms: Type.Number() }),
  cache,
});

const verdict = {
  legal: Type.Boolean({ description: 'The provider would take it; advice may still be against it.' }),
  bytes: Type.Integer({ description: 'Of the request as compact JSON.' }),
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
  format: Type.String(),
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
      { description: 'The smallest legal version; its violations, if any are left, are places in it.' },
    ),
  ),
});

export const encodingsResponse = Type.Object({
  encodings: Type.Array(
    Type.Object({
      name: Type.String(),
      engine: Type.String({ description: 'What counts this encoding in this process.' }),
      vocabulary_version: Type.String(),
    }),
  ),
});

export const healthResponse = Type.Object({ status: Type.String() });

export const blobResponse = Type.Object({
  digest: Type.String({ description: 'As requests refer to it: `sha256:` and 64 hexadecimal digits.' }),
  bytes: Type.Integer(),
});

export const batchResponse = Type.Object({
  id: Type.String(),
  lines: Type.Integer({ description: 'Lines that were taken, blank ones left out.' }),
});

/** One line of the results of a batch. */
export const batchResult = Type.Object({
  cursor: Type.String({ description: 'To read on behind this result: `?after=…`.' }),
  line: Type.Integer({ description: 'Number of the line, from 1.' }),
  offset_bytes: Type.Integer({ description: 'Where the line begins.' }),
  id: Type.Union([Type.String(), Type.Null()], { description: 'As in the line; null if it has none.' }),
  status: Type.Integer({ description: 'What the call of its own would have been answered with.' }),
  body: Type.Unknown({ description: 'The answer of that call, or the problem.' }),
});

/** RFC 9457 problem details. Beside the standard members: `code`, and what the code promises. */
export const problem = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  instance: Type.String(),
  code: Type.String({ description: 'Stable name of the error; `docs/errors.md` lists them.' }),
  request_id: Type.String(),
  errors: Type.Optional(
    Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }), {
      description: 'Places in the request, as JSON pointers.',
    }),
  ),
  figures: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Null()]), {
      description: 'The numbers behind the refusal.',
    }),
  ),
  missing: Type.Optional(
    Type.Array(Type.String(), {
      description: 'With 424: digests of the attachments to upload, before the same request is sent again.',
    }),
  ),
  indices: Type.Optional(Type.Array(index, { description: 'With codes about certain messages: which.' })),
  unshrinkable: Type.Optional(
    Type.Array(
      Type.Object({
        index: Type.Union([index, Type.Null()]),
        reason: Type.String(),
        content_tokens: Type.Integer(),
        attachment_tokens: Type.Integer(),
        other_tokens: Type.Integer(),
        bytes: Type.Optional(Type.Integer({ description: 'With `max_request_bytes`.' })),
      }),
      { description: 'With 422: what could not be made smaller; the tokens sum up to what is left.' },
    ),
  ),
  limits: Type.Optional(
    Type.Object(
      {
        ...limits.properties,
        refused_by: Type.Enum([...limit.enum, 'max_request_bytes'], {
          description:
            'What the conversation is too large for; or, if it is not, what leaves too little output beside it.',
        }),
      },
      { description: 'With 422: what the request has to keep, and by how much it did not.' },
    ),
  ),
  hints: Type.Optional(Type.Array(hint, { description: 'With 422: only what can help.' })),
  warnings: Type.Optional(Type.Array(warning)),
});

export type TrimmedResponse = Static<typeof trimmedResponse>;
export type PreflightResponse = Static<typeof preflightResponse>;
export type LeftOut = Static<typeof leftOut>;
export type TextEstimateInAnswer = Static<typeof textEstimate>;
export type CountResponse = Static<typeof countResponse>;
export type CheckResponse = Static<typeof checkResponse>;
export type BatchResponse = Static<typeof batchResponse>;
export type BatchResult = Static<typeof batchResult>;
export type BlobResponse = Static<typeof blobResponse>;
export type Problem = Static<typeof problem>;
export type Warning = Static<typeof warning>;
export type CacheFigures = Static<typeof cache>;
