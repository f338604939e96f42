import { GATES } from '@preflight/accounting';
import { ATTACHMENT_POLICIES, DEFAULT_STRATEGY, STRATEGIES, TRIM_MESSAGES } from '@preflight/core';
import Type, { type Static } from 'typebox';
import { attachmentFactsList } from './attachment-facts.js';
import { explained, namesOf } from './choices.js';
import { conversationFields } from './conversation-fields.js';
import { pins, trimWindow, truncateOptions } from './fit-options.js';
import { tokens } from './tokens.js';
import { trimOptions } from './trim-messages-options.js';

const strategy = Type.Enum(namesOf(STRATEGIES));

export const preflightRequest = Type.Object(
  {
    ...conversationFields,
    context_window: Type.Optional(
      tokens("Context window in tokens, in place of the model's.", { minimum: 1 }),
    ),
    budget_tokens: Type.Optional(
      tokens('Most tokens the history may have, in place of the budget computed from the window.'),
    ),
    max_request_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          "Most bytes that the provider's request may have as compact JSON in UTF-8, as front ends limit it; strategies go on until both budgets hold. Measured is the request as it stands here, flat with its `model` or under `request`, with files that are named by digest written out: leave room for what you add. A cut for bytes keeps 128 of them. Costs a pass over the request.",
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
        {
          additionalProperties: true,
          description: 'The same as facts: a line each, in the order of their names.',
        },
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
      Type.Union([Type.Enum(namesOf(ATTACHMENT_POLICIES)), attachmentFactsList], {
        default: 'keep',
        description: `What goes before the strategies touch anything else: \`elide_repeated\` puts \`${STRATEGIES.elide_repeated_attachments.name}\` in front of them, and \`elide_oldest\` \`${STRATEGIES.elide_attachments.name}\`. Or what is known of attachments, by \`pointer\`.`,
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

export type PreflightRequest = Static<typeof preflightRequest>;
/** A preflight in the strict mode. */
export type TrimRequest = PreflightRequest & { readonly strategy: typeof TRIM_MESSAGES.name };
