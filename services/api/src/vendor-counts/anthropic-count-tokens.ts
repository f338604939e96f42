import type { Warning } from '@preflight/contracts';
import { type Issue, isAbsent, isObject, type JsonObject, PreflightError } from '@preflight/core';
import { anthropicMessages, MAX_ISSUES } from '@preflight/formats';
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
  read: (body) => {
    const issues = issuesIn(body);
    if (issues.length > 0) throw new PreflightError('invalid_request', { issues });
    return {
      model: readModel(body),
      request: { format: anthropicMessages.name, request: body },
      warnings: unknownFields(body),
    };
  },
  write: ({ tokens, report }) => ({ input_tokens: tokens, preflight: report }),
  errorBody: (error, { status, requestId }) => ({
    type: 'error',
    error: { type: errorType(status), message: errorMessage(error, dottedPlace) },
    request_id: requestId,
  }),
};

/** What the vendor refuses and the format's reader does not mind: what is missing (November 2026). */
function issuesIn({ model, messages }: JsonObject): Issue[] {
  const issues: Issue[] = isAbsent(model) ? [{ pointer: '/model', detail: REQUIRED }] : [];
  if (isAbsent(messages)) return [...issues, { pointer: '/messages', detail: REQUIRED }];
  if (!Array.isArray(messages)) return issues;
  if (messages.length === 0)
    issues.push({ pointer: '/messages', detail: 'at least one message is required' });
  for (const [index, message] of messages.entries()) {
    if (issues.length >= MAX_ISSUES) break;
    if (isObject(message) && isAbsent(message.content))
      issues.push({ pointer: `/messages/${index}/content`, detail: REQUIRED });
  }
  return issues;
}

const REQUIRED = 'Field required';

/** What the call may hold, whether it counts or not. */
const FIELDS = new Set([
  ...['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config', 'output_format'],
  ...['cache_control', 'speed', 'context_management', 'mcp_servers', 'container', 'betas'],
]);

/** Not refused, as the vendor does: its clients learn of new fields before we do. But told. */
function unknownFields(body: JsonObject): Warning[] {
  const names = Object.keys(body).filter((name) => !FIELDS.has(name));
  if (names.length === 0) return [];
  const fields = names.length === 1 ? 'a field' : `${names.length} fields`;
  return [
    {
      code: 'unknown_fields',
      detail: `The request has ${fields} that this call does not know: the vendor refuses what it does not know either, such as \`max_tokens\` in a count. It does not count.`,
    },
  ];
}

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
