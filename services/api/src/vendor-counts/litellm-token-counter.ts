import { isAbsent, isText, type JsonObject, PreflightError } from '@preflight/core';
import Type from 'typebox';
import { countReport } from './count-report.js';
import { openaiError, openaiErrorBody } from './openai-errors.js';
import { invalid, readModel, type VendorCount } from './vendor-count.js';

/** The count call of LiteLLM's proxy (count-endpoints.md §5). `call_endpoint` is ignored: no provider is ever called. */
export const litellmTokenCounter: VendorCount = {
  urls: ['/utils/token_counter'],
  summary: "Count as LiteLLM's proxy does",
  body: Type.Object({
    model: Type.String(),
    messages: Type.Optional(Type.Array(Type.Object({}), { description: 'Or `contents`, as Gemini has it.' })),
    prompt: Type.Optional(Type.String({ description: 'One text, in place of a conversation.' })),
  }),
  answer: Type.Object({
    total_tokens: Type.Integer(),
    request_model: Type.String(),
    model_used: Type.String(),
    tokenizer_type: Type.String({
      description: 'Always `openai_tokenizer`: encodings are those of tiktoken.',
    }),
    original_response: Type.Null(),
    preflight: countReport,
  }),
  error: openaiError,
  read(body) {
    const model = readModel(body);
    if (model === undefined) throw invalid('/model', 'must be a string');
    return { model, request: readRequest(body, model) };
  },
  write: ({ tokens, model = '', report }) => ({
    total_tokens: tokens,
    request_model: model,
    model_used: model,
    tokenizer_type: 'openai_tokenizer',
    original_response: null,
    preflight: report,
  }),
  errorBody: openaiErrorBody,
};

/** Bodies of all providers are taken, and told apart by their shape. */
function readRequest(body: JsonObject, model: string): JsonObject {
  const { prompt } = body;
  if (isAbsent(prompt)) return { request: body };
  if (!isText(prompt)) throw invalid('/prompt', 'must be a string');
  if (isAbsent(body.messages) && isAbsent(body.contents)) return { model, text: prompt };
  throw new PreflightError('invalid_request', {
    issues: [{ pointer: '/prompt', detail: 'must not stand beside a conversation' }],
  });
}
