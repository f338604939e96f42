import type { Issue } from '@preflight/core';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

export interface FaultWords {
  /** Texts that were given may be told: they are an operator's own, and no content. */
  readonly tellsTexts?: boolean;
}

/**
 * What is wrong with a value by a schema: place by place, in words that say what is expected and what was given. Empty if
 * nothing is.
 */
export function schemaFaults(schema: TSchema, words: FaultWords = {}): (value: unknown) => Issue[] {
  const compiled = Compile(schema);
  return (value) => {
    if (compiled.Check(value)) return [];
    const errors = compiled.Errors(value).filter(({ keyword }) => !OF_ITS_PARTS.has(keyword));
    const byPlace = new Map<string, SchemaError[]>();
    for (const error of errors)
      byPlace.set(error.instancePath, [...(byPlace.get(error.instancePath) ?? []), error]);
    const places = [...byPlace.keys()];
    // Where a value may be one thing or another, what is wrong inside it tells which it was meant to be.
    const isMeant = (place: string) => !places.some((other) => other.startsWith(`${place}/`));
    return places
      .filter((place) => isMeant(place) || byPlace.get(place)?.some(isOfMembers))
      .flatMap((place) => {
        const found = byPlace.get(place) as SchemaError[];
        return issuesAt(found, { schema, words, value: valueAt(value, place) });
      });
  };
}

/** Errors that say no more than those of the parts do. */
const OF_ITS_PARTS: ReadonlySet<string> = new Set(['anyOf', 'boolean']);

interface SchemaError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

interface Place {
  readonly schema: TSchema;
  readonly value: unknown;
  readonly words: FaultWords;
}

/** The faults of one value; of what it might have been, that which it is most like. */
function issuesAt(errors: readonly SchemaError[], place: Place): Issue[] {
  const isOfType = ({ keyword }: SchemaError) => keyword === 'type' || keyword === 'enum';
  const ofKind = errors.filter((error) => !isOfType(error));
  if (ofKind.length > 0) return ofKind.flatMap((error) => issuesOf(error, place));
  const pointer = errors[0]?.instancePath ?? '';
  return [{ pointer, detail: `must be ${expected(errors, place.value)}${notGiven(errors, place)}` }];
}

const isOfMembers = ({ keyword }: SchemaError) =>
  keyword === 'required' || keyword === 'additionalProperties';

function issuesOf(
  { keyword, schemaPath, instancePath, params, message }: SchemaError,
  place: Place,
): Issue[] {
  const at = (name: string) => `${instancePath}/${escapePointer(name)}`;
  const { requiredProperties = [], additionalProperties = [] } = params as Record<string, string[]>;
  const own = valueAt(place.schema, schemaPath.slice(1)) as {
    readonly properties?: object;
    readonly examples?: readonly string[];
  };
  if (keyword === 'required')
    return requiredProperties.map((name) => ({ pointer: at(name), detail: 'is missing' }));
  if (keyword === 'additionalProperties') {
    const names = Object.keys(own.properties ?? {});
    const known = names.length > MOST_NAMED ? '' : `; known are ${names.join(', ')}`;
    return additionalProperties.map((name) => ({
      pointer: at(name),
      detail: `is not known${known}`,
    }));
  }
  const { limit = 0 } = params as { readonly limit?: number };
  const [example] = own.examples ?? [];
  const detail =
    keyword === 'pattern' && example !== undefined
      ? `must be written as in ${JSON.stringify(example)}`
      : (BOUNDS[keyword]?.(limit) ?? message);
  return [{ pointer: instancePath, detail: `${detail}${notGiven([], place)}` }];
}

/** What a bound asks for. */
const BOUNDS: Readonly<Record<string, (limit: number) => string>> = {
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  exclusiveMinimum: (limit) => `must be more than ${limit}`,
  exclusiveMaximum: (limit) => `must be less than ${limit}`,
  minLength: (limit) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: (limit) => `must have at most ${limit} characters`,
  minItems: (limit) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} entries`),
  maxItems: (limit) => `must have at most ${limit} entries`,
  uniqueItems: () => 'must not name anything twice',
};

const TYPES: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/** Values and types that would be taken. To a text where others are, types are no choice. */
function expected(errors: readonly SchemaError[], value: unknown): string {
  const values = errors.flatMap(({ params }) => (params as { allowedValues?: string[] }).allowedValues ?? []);
  const types = errors.flatMap(({ params }) => (params as { type?: string | string[] }).type ?? []);
  const oneOf =
    values.length === 0 ? [] : [values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`];
  const others =
    oneOf.length > 0 && typeof value === 'string' ? [] : types.map((type) => TYPES[type] ?? type);
  return [...new Set([...oneOf, ...others])].join(' or ');
}

/** What was given in its place, where that says something and is no content. */
function notGiven(errors: readonly SchemaError[], { value, words }: Place): string {
  if (Array.isArray(value)) return errors.length > 0 ? ', not an array' : '';
  if (typeof value === 'object' && value !== null) return errors.length > 0 ? ', not an object' : '';
  if (typeof value !== 'string') return value === undefined ? '' : `, not ${String(value)}`;
  if (words.tellsTexts) return `, not ${JSON.stringify(value.slice(0, MOST_TOLD_CHARACTERS))}`;
  return errors.some(({ keyword }) => keyword === 'enum') || errors.length === 0 ? '' : ', not a string';
}

const MOST_TOLD_CHARACTERS = 64;

/** Of more fields than these, a list helps nobody. */
const MOST_NAMED = 20;

function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (inner, name) =>
        (inner as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
      value,
    );
}

/** RFC 6901: `~` and `/` inside a name. Names are the caller's words, so they are cut to a sane length. */
export function escapePointer(name: string): string {
  return name.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1');
}
