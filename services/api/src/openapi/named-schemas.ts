import {
  attachmentRow,
  checkRequest,
  checkResponse,
  countRequest,
  countResponse,
  figure,
  jobStateResponse,
  modelResponse,
  preflightRequest,
  preflightResponse,
  problem,
  trimmedResponse,
  warning,
} from '@preflight/contracts';
import { isObject, type Json, type JsonObject } from '@preflight/core';
import { anthropicCountTokens } from '../vendor-counts/anthropic-count-tokens.js';
import { countReport } from '../vendor-counts/count-report.js';
import { geminiCountTokens } from '../vendor-counts/gemini-count-tokens.js';
import { openaiError } from '../vendor-counts/openai-errors.js';
import { tokenize } from '../vendor-counts/tokenize.js';

/** Schemas that stand in the OpenAPI document once, under these names. */
export const NAMED_SCHEMAS: Readonly<Record<string, object>> = {
  AnthropicError: anthropicCountTokens.error,
  AttachmentFigures: attachmentRow,
  CheckRequest: checkRequest,
  CheckResponse: checkResponse,
  CountReport: countReport,
  CountRequest: countRequest,
  CountResponse: countResponse,
  Figure: figure,
  GeminiCount: geminiCountTokens.answer,
  GeminiError: geminiCountTokens.error,
  JobState: jobStateResponse,
  Model: modelResponse,
  OpenAiError: openaiError,
  PreflightRequest: preflightRequest,
  PreflightResponse: preflightResponse,
  Problem: problem,
  TokenizeError: tokenize.error,
  TrimmedResponse: trimmedResponse,
  Warning: warning,
};

/**
 * The OpenAPI document with references in the place of schemas that have a name: written out at every route, they would
 * be most of it.
 */
export function withNamedSchemas(document: JsonObject): JsonObject {
  const schemas: JsonObject = {};
  const referring = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(referring);
    if (!isObject(value)) return value;
    const name = nameOf(value);
    if (name === undefined) return inside(value);
    schemas[name] ??= inside(value);
    return { $ref: `#/components/schemas/${name}` };
  };
  const inside = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, referring(value as Json)]));
  const paths = referring(document.paths as Json);
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...document, paths, components: { ...(document.components as JsonObject), schemas: sorted } };
}

const PUBLISHED = Object.entries(NAMED_SCHEMAS).map(
  ([name, schema]) =>
    [name, publishedForm(JSON.parse(JSON.stringify(schema)) as Json) as JsonObject] as const,
);
const NAMES = new Map(PUBLISHED.map(([name, schema]) => [JSON.stringify(ordered(schema)), name]));

/** The names of a schema's fields tell whether it is worth to compare it as a whole. */
const FIELDS = new Set(PUBLISHED.map(([, schema]) => fieldsOf(schema)));

function nameOf(schema: JsonObject): string | undefined {
  const fields = fieldsOf(schema);
  if (fields === undefined || !FIELDS.has(fields)) return undefined;
  return NAMES.get(JSON.stringify(ordered(schema)));
}

function fieldsOf({ properties }: JsonObject): string | undefined {
  return properties !== undefined && isObject(properties) ? Object.keys(properties).sort().join() : undefined;
}

function ordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, ordered(inner as Json)]));
}

/** A schema in the words that @fastify/swagger has for the same. */
function publishedForm(value: Json): Json {
  if (Array.isArray(value)) return value.map(publishedForm);
  if (!isObject(value)) return value;
  const { const: only, patternProperties, ...rest } = value;
  const open =
    patternProperties !== undefined && isObject(patternProperties) ? patternProperties['^.*$'] : undefined;
  const inWords: JsonObject =
    typeof only === 'string'
      ? { ...rest, enum: [only] }
      : open !== undefined
        ? { ...rest, additionalProperties: open }
        : value;
  return Object.fromEntries(
    Object.entries(inWords).map(([key, inner]) => [key, publishedForm(inner as Json)]),
  );
}
