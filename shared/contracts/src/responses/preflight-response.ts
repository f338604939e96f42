import { type FittedOutcome, OUTCOMES_IN_WORDS, TRIM_MESSAGES } from '@preflight/core';
import Type, { type Static } from 'typebox';
import { cache } from './cache.js';
import { preflightCost } from './cost.js';
import { edit } from './edit.js';
import { attachmentRows, total } from './figure.js';
import { limits } from './limits.js';
import { index, messageTokens, overhead } from './message-tokens.js';
import { textEstimate } from './text-estimate.js';
import { warnings } from './warning.js';

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

/** What the answers about a conversation and about a list have in common. */
const changedMessages = {
  exact: Type.Boolean({ description: 'Every text was counted by its own encoding.' }),
  messages: Type.Array(
    Type.Object({
      ...messageTokens,
      tokens_after: Type.Integer({ description: 'What is left of it: 0 if it was dropped.' }),
      action: Type.Enum(['kept', 'cut', 'dropped', 'elided'], {
        description: '`elided`: a note stands in the place of tool results or attachments.',
      }),
      reason: Type.Union([Type.String(), Type.Null()], {
        description: 'Why it was changed, such as `even_share`; null where it was kept.',
      }),
    }),
    { description: 'One entry for each message of the input, dropped ones included.' },
  ),
  attachments: Type.Optional(attachmentRows),
  overhead,
  text_estimate: Type.Optional(textEstimate),
  left_out: Type.Optional(leftOut),
  edits: Type.Array(edit, {
    description: 'Changes to make, ordered by index, `set` last; empty when nothing changes.',
  }),
  conversation: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'The edited request, in its own format.' }),
  ),
  warnings,
  timing: Type.Object(
    {
      queue_ms: Type.Number({ description: 'Waiting for a thread.' }),
      count_ms: Type.Number({ description: 'Counting, or finding what is known.' }),
      fit_ms: Type.Number({ description: 'Deciding, and cutting texts.' }),
    },
    { description: 'Where the time went, in milliseconds.' },
  ),
  cache,
};

const id = Type.String({ description: 'Of the call, as in the log; of a job, its own.' });

export const preflightResponse = Type.Object({
  id,
  outcome: Type.Enum(Object.keys(OUTCOMES_IN_WORDS) as FittedOutcome[], {
    description: `${Object.entries(OUTCOMES_IN_WORDS)
      .map(([outcome, words]) => `\`${outcome}\`: ${words[0]?.toLowerCase()}${words.slice(1)}`)
      .join('. ')}.`,
  }),
  applied: Type.Array(Type.String(), {
    description: 'Strategies that changed something, in order; `outcome` is that of the last.',
  }),
  max_output_tokens: Type.Integer({ description: 'Output to request from the provider.' }),
  encoding: Type.String({ description: 'What texts were counted with.' }),
  tokens: Type.Object(
    {
      before: Type.Integer({ description: 'As the request came.' }),
      after: Type.Integer({ description: 'After the edits.' }),
      budget: Type.Integer({
        description:
          'What a history may have that has to be compressed: `budget_tokens`, or what the window, by its type, leaves beside the minimal output and the buffer.',
      }),
      context_window: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Null where the request states a budget and no window is known.',
      }),
      request_overhead: Type.Integer({
        description: 'Tool schemas and what belongs to no message; part of `before` and `after`.',
      }),
    },
    { description: 'The history that the fit decides about.' },
  ),
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
    id,
    outcome: Type.Enum(['fits', TRIM_MESSAGES.outcome], {
      description: '`fits` where nothing was left out and the budget holds.',
    }),
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

export type PreflightResponse = Static<typeof preflightResponse>;
export type TrimmedResponse = Static<typeof trimmedResponse>;
export type LeftOut = Static<typeof leftOut>;
