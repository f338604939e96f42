import Type from 'typebox';
import { high, low } from './figure.js';

export const index = Type.Integer({ minimum: 0, description: 'Position in the input.' });

/** Open, because there will be more of them. */
const kinds = (description: string) =>
  Type.Record(Type.String(), Type.Integer(), {
    description: `${description} Kinds without tokens are left out.`,
    examples: [{ formatting: 4, name: 2, tool_calls: 31, reasoning: 120 }],
  });

/** What is told of every message. */
export const messageTokens = {
  index,
  role: Type.String({ description: 'As the request has it.' }),
  content_tokens: Type.Integer({ description: 'Of its texts.' }),
  attachment_tokens: Type.Integer({ description: 'Of its attachments, by the accounting that decides.' }),
  other_tokens: Type.Integer({
    description: 'Role, name, tool calls and overhead; 0 with `count: "content"`.',
  }),
  kinds: Type.Optional(
    kinds(
      'What the message has beside its own text and attachments, where that is more than formatting: `tool_results` are part of `content_tokens`, all others of `other_tokens`.',
    ),
  ),
};

export const overhead = Type.Optional(
  Type.Object(
    {
      tokens: Type.Integer({
        description:
          'All that is no attachment and no text of a message (`content_tokens`); where there is a `text_estimate`, no text that it has estimated.',
      }),
      low,
      high,
      basis: Type.Enum(['formula', 'estimate'], {
        description: '`formula` is published or reproduces live checks; `estimate` is a guess.',
      }),
      rule: Type.String({ description: 'Rule of the family of models.' }),
      rule_date: Type.String({ description: 'The month in which the rule was looked up.' }),
      tool_schemas: Type.Optional(
        Type.Object(
          { rule: Type.String(), rule_date: Type.String() },
          { description: 'How schemas of tools were counted, if there are any.' },
        ),
      ),
      rules_version: Type.String({ description: 'Of all rules that are shipped.' }),
      kinds: kinds('What `request_overhead` is made of.'),
    },
    { description: 'How what is sent beside texts was told; absent with `count: "content"`.' },
  ),
);
