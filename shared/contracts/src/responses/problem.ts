import Type, { type Static } from 'typebox';
import { attachmentRow } from './figure.js';
import { limit, limits } from './limits.js';
import { index } from './message-tokens.js';
import { warnings } from './warning.js';

const hint = Type.Object({
  code: Type.String({ description: 'Stable name, such as `raise_context_window`.' }),
  detail: Type.String({ description: 'One sentence with figures.' }),
});

/** RFC 9457 problem details. Beside the standard members: `code`, and what the code promises. */
export const problem = Type.Object({
  type: Type.String({ description: 'The code as a URN.' }),
  title: Type.String({ description: 'The code in words, always the same.' }),
  status: Type.Integer({ description: 'Of HTTP.' }),
  detail: Type.String({
    description: 'What is wrong with this call, in figures and places; never a value of it.',
  }),
  instance: Type.String({ description: 'The path of the call.' }),
  code: Type.String({ description: 'Stable name of the error; `docs/errors.md` lists them.' }),
  request_id: Type.String({ description: 'Of the call, as in the log and in `x-request-id`.' }),
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
  attachments: Type.Optional(
    Type.Array(attachmentRow, {
      description:
        'With 422: the attachments that count most, by both accountings, dearest first, 20 at most; absent if there are none.',
    }),
  ),
  attachment_count: Type.Optional(
    Type.Integer({
      description: 'With 422: how many attachments there are in all; absent if there are none.',
    }),
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
  warnings: Type.Optional(warnings),
});

export type Problem = Static<typeof problem>;
