import Type from 'typebox';
import { index } from './message-tokens.js';

/** An object of the format's own; LangChain has bare texts among them. */
const contentPart = Type.Union([Type.Object({}, { additionalProperties: true }), Type.String()]);

export const edit = Type.Union([
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
