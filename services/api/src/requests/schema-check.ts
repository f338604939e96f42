import { checkRequest, countRequest, preflightRequest } from '@preflight/contracts';
import { type Issue, isObject, type Json, type JsonObject, PreflightError, TextRange } from '@preflight/core';
import { FLAT_FIELDS } from '@preflight/formats';
import type { TObject } from 'typebox';
import { Compile } from 'typebox/compile';

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
  const compiled = Compile(schema);
  return (body) => {
    if (isObject(body)) refuseUnknown(body, schema);
    const plain = isObject(body) ? withStandIns(body) : standIn(body as Json);
    if (!compiled.Check(plain)) throw refusal(compiled.Errors(plain).slice(0, MAX_ISSUES));
  };
}

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

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

function refusal(errors: readonly SchemaError[]): PreflightError {
  const issues: Issue[] = withoutRivals(errors).map(({ keyword, instancePath, message, params }) => ({
    pointer: instancePath,
    detail:
      keyword === 'enum' && 'allowedValues' in params
        ? `must be one of ${(params.allowedValues as string[]).join(', ')}`
        : message,
  }));
  const code = issues.some(({ pointer }) => OPTIONS.has(pointer.split('/')[1] ?? ''))
    ? 'unsupported_option'
    : 'invalid_request';
  const places = issues.map(({ pointer, detail }) => `${pointer || 'the body'} ${detail}`);
  return new PreflightError(code, { publicDetail: `${places.join('; ')}.`, issues });
}

/** Where a value may be one thing or another, what is wrong with it as the one that it is most like. */
function withoutRivals(errors: readonly SchemaError[]): readonly SchemaError[] {
  const isRival = (error: SchemaError) =>
    errors.some(
      (other) =>
        other.instancePath.startsWith(`${error.instancePath}/`) ||
        (other.instancePath === error.instancePath && other.keyword === 'enum' && error.keyword !== 'enum'),
    );
  const isAlternative = errors.some(({ keyword }) => keyword === 'anyOf');
  return isAlternative ? errors.filter((error) => error.keyword !== 'anyOf' && !isRival(error)) : errors;
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

/** RFC 6901: `~` and `/` inside a name. Names are the caller's words, so they are cut to a sane length. */
function escapePointer(name: string): string {
  return name.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1');
}
