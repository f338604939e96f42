import Type, { type Static } from 'typebox';
import { attachmentFactsList } from './attachment-facts.js';
import { conversationFields } from './conversation-fields.js';
import { APPROXIMATE } from './trim-messages-options.js';

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

export type CountRequest = Static<typeof countRequest>;
