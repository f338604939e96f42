import { WINDOW_TYPES } from '@preflight/core';
import Type from 'typebox';

export const limit = Type.Enum(['context_window', 'max_input_tokens', 'max_output_tokens', 'budget_tokens']);

/** How input and output share the model's window, and where a request as it came is too large. */
export const limits = Type.Object(
  {
    window_type: Type.Union([Type.Enum([...WINDOW_TYPES]), Type.Null()], {
      description: 'Null where the request states a budget and no window is known.',
    }),
    max_input_tokens: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Most that the model reads, where that has a limit of its own.',
    }),
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
