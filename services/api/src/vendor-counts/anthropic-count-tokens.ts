import { anthropicMessages } from '@preflight/formats';
import Type from 'typebox';
import { countReport } from './count-report.js';
import { dottedPlace, errorMessage } from './error-message.js';
import { readModel, type VendorCount } from './vendor-count.js';

/** Anthropic's count call (count-endpoints.md §2; @anthropic-ai/sdk 1.14: `messages.countTokens`). */
export const anthropicCountTokens: VendorCount = {
  urls: ['/v1/messages/count_tokens'],
  summary: "Count as Anthropic's `messages.countTokens` does",
  body: Type.Object({
    model: Type.String(),
    messages: Type.Array(Type.Object({})),
    system: Type.Optional(Type.Union([Type.String(), Type.Array(Type.Object({}))])),
    tools: Type.Optional(Type.Array(Type.Object({}))),
  }),
  answer: Type.Object({ input_tokens: Type.Integer(), preflight: countReport }),
  error: Type.Object({
    type: Type.Literal('error'),
    error: Type.Object({
      type: Type.String({ examples: ['invalid_request_error', 'request_too_large', 'overloaded_error'] }),
      message: Type.String(),
    }),
    request_id: Type.String(),
  }),
  read: (body) => ({ model: readModel(body), request: { format: anthropicMessages.name, request: body } }),
  write: ({ tokens, report }) => ({ input_tokens: tokens, preflight: report }),
  errorBody: (error, { status, requestId }) => ({
    type: 'error',
    error: { type: errorType(status), message: errorMessage(error, dottedPlace) },
    request_id: requestId,
  }),
};

/** The vendor's names for what went wrong, by status. */
const ERROR_TYPES: ReadonlyMap<number, string> = new Map([
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
]);

function errorType(status: number): string {
  return ERROR_TYPES.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}
