import { type JsonObject, PreflightError } from '@preflight/core';
import { openaiChat, openaiResponses } from '@preflight/formats';
import Type from 'typebox';
import { countReport } from './count-report.js';
import { openaiError, openaiErrorBody } from './openai-errors.js';
import { type Counted, readModel, type VendorCount } from './vendor-count.js';

const answer = Type.Object({
  object: Type.Literal('response.input_tokens'),
  input_tokens: Type.Integer(),
  preflight: countReport,
});

const write = ({ tokens, report }: Counted): JsonObject => ({
  object: 'response.input_tokens',
  input_tokens: tokens,
  preflight: report,
});

const shared = { answer, error: openaiError, write, errorBody: openaiErrorBody } as const;

/** OpenAI's own count call (count-endpoints.md §3; openai 6.49: `responses.inputTokens.count`). */
export const responsesInputTokens: VendorCount = {
  ...shared,
  urls: ['/v1/responses/input_tokens'],
  summary: "Count as OpenAI's `responses.inputTokens.count` does",
  body: Type.Object({
    model: Type.Optional(Type.String()),
    input: Type.Optional(Type.Union([Type.String(), Type.Array(Type.Object({}))])),
    instructions: Type.Optional(Type.String()),
    tools: Type.Optional(Type.Array(Type.Object({}))),
    text: Type.Optional(Type.Object({})),
  }),
  read(body) {
    const issues = openaiResponses.providerState(body).map((name) => ({
      pointer: `/${name}`,
      detail: 'refers to what the provider keeps, which is not here: send the items themselves',
    }));
    if (issues.length > 0) throw new PreflightError('unsupported_option', { issues });
    return { model: readModel(body), request: { format: openaiResponses.name, request: body } };
  },
};

/** The same for Chat Completions, as llama.cpp serves it. */
export const chatInputTokens: VendorCount = {
  ...shared,
  urls: ['/v1/chat/completions/input_tokens'],
  summary: 'The same for a body of Chat Completions, as llama.cpp serves it',
  body: Type.Object({
    model: Type.Optional(Type.String()),
    messages: Type.Array(Type.Object({})),
    tools: Type.Optional(Type.Array(Type.Object({}))),
  }),
  read: (body) => ({ model: readModel(body), request: { format: openaiChat.name, request: body } }),
};
