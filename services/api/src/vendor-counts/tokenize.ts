import { isAbsent, isText, type JsonObject, PreflightError } from '@preflight/core';
import { openaiChat } from '@preflight/formats';
import Type from 'typebox';
import { countReport } from './count-report.js';
import { bracketedPlace, errorMessage } from './error-message.js';
import { MAX_TOKEN_IDS } from './token-ids.js';
import { type CountQuestion, invalid, readModel, type VendorCount } from './vendor-count.js';

/** Bodies of three kinds on one path: each has the field that it is told by, and no other. */
const KINDS = ['prompt', 'messages', 'content'] as const;

/** Tokens as text, which the two vendors write in ways of their own. */
const UNSUPPORTED = ['return_token_strs', 'with_pieces'] as const;

/** The call of vLLM and of llama.cpp's server (count-endpoints.md §6): how many tokens, and how many fit. */
export const tokenize: VendorCount = {
  urls: ['/tokenize'],
  summary: 'Count as vLLM and llama.cpp do: one text, or a conversation',
  body: Type.Object({
    model: Type.Optional(Type.String()),
    prompt: Type.Optional(Type.String({ description: 'One text, as vLLM names it.' })),
    content: Type.Optional(Type.String({ description: 'One text, as llama.cpp names it.' })),
    messages: Type.Optional(Type.Array(Type.Object({}), { description: 'A conversation, with `tools`.' })),
    tools: Type.Optional(Type.Array(Type.Object({}))),
    return_tokens: Type.Optional(
      Type.Boolean({
        default: false,
        description: `Ids as well, of one text of at most ${MAX_TOKEN_IDS} tokens.`,
      }),
    ),
  }),
  answer: Type.Object({
    count: Type.Integer(),
    max_model_len: Type.Union([Type.Integer(), Type.Null()], {
      description: "The model's context window; null if it is not in the catalog.",
    }),
    tokens: Type.Array(Type.Integer(), { description: 'Ids, with `return_tokens`.' }),
    token_strs: Type.Null(),
    preflight: countReport,
  }),
  error: Type.Object({
    error: Type.Object({
      message: Type.String(),
      type: Type.String({ examples: ['BadRequestError'] }),
      param: Type.Union([Type.String(), Type.Null()]),
      code: Type.Integer({ description: 'The HTTP status.' }),
    }),
  }),
  read: (body) => {
    refuse(body, UNSUPPORTED, 'is not supported');
    return readKind(body, readModel(body));
  },
  write: ({ tokens, contextWindowTokens, report, ids }) => ({
    count: tokens,
    max_model_len: contextWindowTokens,
    tokens: [...ids],
    token_strs: null,
    preflight: report,
  }),
  errorBody: (error, { status }) => ({
    error: {
      message: errorMessage(error, bracketedPlace),
      type: errorType(status),
      param: bracketedPlace(error.issues?.[0]?.pointer ?? '') || null,
      code: status,
    },
  }),
};

function readKind(body: JsonObject, model: string | undefined): CountQuestion {
  const given = KINDS.filter((name) => !isAbsent(body[name]));
  const [kind, ...others] = given;
  if (kind === undefined) throw invalid('', `must have one of ${KINDS.join(', ')}`);
  if (others.length > 0) throw invalid(`/${others[0]}`, `must not stand beside ${kind}`);
  if (kind === 'messages') {
    refuse(
      body,
      ['return_tokens'],
      'is for one text: what stands between messages is the template of the model',
    );
    // As vLLM refuses it: the last message cannot be gone on with behind the start of another.
    if (body.continue_final_message === true && body.add_generation_prompt !== false)
      throw invalid('/continue_final_message', 'must not stand beside add_generation_prompt');
    return { model, request: { format: openaiChat.name, request: body } };
  }
  const text = body[kind];
  if (!isText(text)) throw invalid(`/${kind}`, 'must be a string');
  const request = model === undefined ? { text } : { model, text };
  return { model, request, ...(body.return_tokens === true ? { idsOf: text } : {}) };
}

function refuse(body: JsonObject, names: readonly string[], detail: string): void {
  const issues = names.filter((name) => body[name] === true).map((name) => ({ pointer: `/${name}`, detail }));
  if (issues.length > 0) throw new PreflightError('unsupported_option', { issues });
}

function errorType(status: number): string {
  if (status === 404) return 'NotFoundError';
  return status < 500 ? 'BadRequestError' : 'InternalServerError';
}
