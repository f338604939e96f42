import { checkRequest, countRequest, preflightRequest } from '@preflight/contracts';
import { type Issue, isObject, type Json, type JsonObject, PreflightError, TextRange } from '@preflight/core';
import { FLAT_FIELDS } from '@preflight/formats';
import type { TObject } from 'typebox';
import { escapePointer, schemaFaults } from './schema-faults.js';

/** More places than this tell a reader nothing new. */
const MAX_ISSUES = 20;

/** Lists of these are not looked at here. */
const CONVERSATION: ReadonlySet<string> = new Set(FLAT_FIELDS);

/** Options with named values, of which more will come: another value is not wrong, but not supported. */
const OPTIONS = new Set(['strategy', 'accounting', 'gate', 'return', 'count', 'format']);

/**
 * A check of request bodies against the schema that also documents them. Throws `unknown_option`, `unsupported_option`
 * or `invalid_request`, with JSON pointers. Looks at the fields only: what stands in lists and in the provider's
 * request is checked by the format, which may have 100,000 messages to check.
 */
export function schemaCheck(schema: TObject): (body: unknown) => void {
  const faultsIn = schemaFaults(schema);
  return (body) => {
    if (Array.isArray(body) && schema.properties.messages !== undefined) throw refusal([MESSAGES_ALONE]);
    if (isObject(body)) refuseUnknown(body, schema);
    const issues = faultsIn(isObject(body) ? withStandIns(body) : standIn(body as Json));
    if (issues.length > 0) throw refusal(issues.slice(0, MAX_ISSUES));
  };
}

/** What is sent by those who have a list of messages at hand. */
const MESSAGES_ALONE: Issue = {
  pointer: '',
  detail: 'must be an object, not an array; a list of messages stands under `messages`',
};

function refuseUnknown(body: JsonObject, schema: TObject): void {
  const unknown = Object.keys(body)
    .filter((name) => !Object.hasOwn(schema.properties, name))
    .slice(0, MAX_ISSUES)
    .map((name) => `/${escapePointer(name)}`);
  if (unknown.length === 0) return;
  const mayBeOfProvider =
    Object.hasOwn(schema.properties, 'request') &&
    unknown.some((pointer) => !OF_OTHER_CALLS.has(pointer.slice(1)));
  const advice = mayBeOfProvider ? " Fields of the provider's request belong under `request`." : '';
  throw new PreflightError('unknown_option', {
    publicDetail: `Not an option of this call: ${unknown.join(', ')}.${advice}`,
    issues: unknown.map((pointer) => ({ pointer, detail: 'is not an option of this call' })),
  });
}

/** Options of any call about conversations, which are no fields of a provider's. */
const OF_OTHER_CALLS: ReadonlySet<string> = new Set(
  [preflightRequest, countRequest, checkRequest].flatMap(({ properties }) => Object.keys(properties)),
);

function refusal(issues: readonly Issue[]): PreflightError {
  const code = issues.some(({ pointer }) => OPTIONS.has(pointer.split('/')[1] ?? ''))
    ? 'unsupported_option'
    : 'invalid_request';
  return new PreflightError(code, { issues });
}

function withStandIns(body: JsonObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      Array.isArray(value) && CONVERSATION.has(name) ? [] : standIn(value),
    ]),
  );
}

/** The schema sees long texts as what they are in JSON: strings. Only their being long matters there. */
const LONG_STRING = 'x'.repeat(4096);

function standIn(value: Json): unknown {
  if (value instanceof TextRange) return LONG_STRING;
  return Array.isArray(value) ? value.map(standIn) : value;
}
