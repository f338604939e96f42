import Type, { type Static } from 'typebox';
import { cache } from './cache.js';
import { countCost } from './cost.js';
import { attachmentRows, basis } from './figure.js';
import { messageTokens, overhead } from './message-tokens.js';
import { textEstimate } from './text-estimate.js';
import { warning } from './warning.js';

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
  attachments: Type.Optional(attachmentRows),
  overhead,
  cost: Type.Optional(countCost),
  text_estimate: Type.Optional(textEstimate),
  warnings: Type.Array(warning),
  timing: Type.Object({ count_ms: Type.Number() }),
  cache,
});

export type CountResponse = Static<typeof countResponse>;
