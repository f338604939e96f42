import Type, { type Static } from 'typebox';
import { cache } from './cache.js';
import { countCost } from './cost.js';
import { attachmentRows, basis, high, low } from './figure.js';
import { messageTokens, overhead } from './message-tokens.js';
import { textEstimate } from './text-estimate.js';
import { warnings } from './warning.js';

export const countResponse = Type.Object({
  tokens: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The best single number; null if the provider refuses an attachment that counts.',
  }),
  low,
  high,
  basis,
  encoding: Type.Optional(Type.String({ description: 'Absent where characters were counted.' })),
  exact: Type.Boolean({ description: 'Every text was counted by its own encoding.' }),
  request_overhead: Type.Optional(
    Type.Integer({ description: 'Tool schemas and what belongs to no message.' }),
  ),
  messages: Type.Optional(
    Type.Array(Type.Object(messageTokens), { description: 'One entry for each message of the input.' }),
  ),
  attachments: Type.Optional(attachmentRows),
  overhead,
  cost: Type.Optional(countCost),
  text_estimate: Type.Optional(textEstimate),
  warnings,
  timing: Type.Object(
    { count_ms: Type.Number({ description: 'Counting, or finding what is known.' }) },
    { description: 'Where the time went, in milliseconds.' },
  ),
  cache,
});

export type CountResponse = Static<typeof countResponse>;
