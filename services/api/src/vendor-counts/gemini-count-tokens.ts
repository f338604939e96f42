import { isAbsent, isObject, type JsonObject } from '@preflight/core';
import { gemini } from '@preflight/formats';
import Type from 'typebox';
import { countReport } from './count-report.js';
import { bracketedPlace, errorMessage } from './error-message.js';
import { invalid, type VendorCount } from './vendor-count.js';

const request = {
  contents: Type.Optional(Type.Array(Type.Object({}))),
  systemInstruction: Type.Optional(Type.Object({})),
  tools: Type.Optional(Type.Array(Type.Object({}))),
  generationConfig: Type.Optional(Type.Object({})),
};

/** Where models stand: of the vendor's own API, and of its cloud. */
const COLLECTIONS = [
  '/v1beta/models',
  '/v1beta/tunedModels',
  '/v1beta1/publishers/:publisher/models',
  '/v1beta1/projects/:project/locations/:location/publishers/:publisher/models',
];

/** Gemini's count call, of its own API and of the cloud's (count-endpoints.md §4; @google/genai 2.32: `models.countTokens`). */
export const geminiCountTokens: VendorCount = {
  // The expression ends the name before the colon: without it the parameter would be called `model::countTokens`.
  urls: COLLECTIONS.map((collection) => `${collection}/:model(^[^:]+)::countTokens`),
  summary: "Count as Gemini's `models.countTokens` does",
  body: Type.Object({
    ...request,
    generateContentRequest: Type.Optional(
      Type.Object(request, { description: 'A whole request; counts in place of what stands beside it.' }),
    ),
  }),
  answer: Type.Object({
    totalTokens: Type.Integer(),
    promptTokensDetails: Type.Array(Type.Object({ modality: Type.String(), tokenCount: Type.Integer() })),
    cachedContentTokenCount: Type.Integer(),
    cacheTokensDetails: Type.Array(Type.Object({})),
    preflight: countReport,
  }),
  error: Type.Object({
    error: Type.Object({
      code: Type.Integer({ description: 'The HTTP status.' }),
      message: Type.String(),
      status: Type.String({ examples: ['INVALID_ARGUMENT', 'UNAVAILABLE'] }),
    }),
  }),
  read: (body, model) => ({ model, ...readRequest(body, model) }),
  write: ({ tokens, report }) => ({
    totalTokens: tokens,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }],
    cachedContentTokenCount: 0,
    cacheTokensDetails: [],
    preflight: report,
  }),
  errorBody: (error, { status }) => ({
    error: { code: status, message: errorMessage(error, bracketedPlace), status: statusName(status) },
  }),
};

/** Under two names, and in two spellings; the model of the address decides. */
function readRequest(body: JsonObject, model: string | undefined) {
  const name = ['generateContentRequest', 'generate_content_request'].find((each) => !isAbsent(body[each]));
  const request = name === undefined ? body : body[name];
  const pointerPrefix = name === undefined ? '' : `/${name}`;
  if (!isObject(request)) throw invalid(pointerPrefix, 'must be an object');
  return {
    pointerPrefix,
    request: { format: gemini.name, request, ...(model === undefined ? {} : { model }) },
  };
}

/** Google's names of what went wrong (google.rpc.Code), by status. */
const STATUS_NAMES: ReadonlyMap<number, string> = new Map([
  [404, 'NOT_FOUND'],
  [429, 'RESOURCE_EXHAUSTED'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);

function statusName(status: number): string {
  return STATUS_NAMES.get(status) ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
}
