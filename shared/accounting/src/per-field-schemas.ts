import { type Countable, isObject, isText, type Json, type JsonObject, type Steps } from '@preflight/core';
import { canonicalJson } from './canonical-json.js';
import { CountableWriter } from './countable-writer.js';
import type { Tally } from './overhead.js';
import type { PerFieldRule } from './overhead-rules.js';
import { withoutLastAscii } from './text-ends.js';
import type { ToolDefinition } from './tool-definition.js';

/**
 * The rule that OpenAI's cookbook gives for gpt-4o (accounting.md §2, per-field rule): constants for each function,
 * property and enum, and their names, types and descriptions encoded.
 *
 * The rule knows flat parameters only. Properties of nested objects and of array items are taken like those of the
 * function, so that a deep schema is not counted as nothing; this is our extension, and an estimate.
 */
export function* perFieldOverhead(definitions: readonly ToolDefinition[], rule: PerFieldRule): Steps<Tally> {
  if (definitions.length === 0) return { countables: [], subtracted: [], constantTokens: 0 };
  const sum: Sum = { countables: [], constantTokens: rule.endTokens };
  for (const { name, description, parameters } of definitions) {
    sum.constantTokens += rule.functionTokens;
    const line = new CountableWriter().write(name).write(':').write(withoutLastAscii(description, '.'));
    sum.countables.push(line.finish());
    yield* addProperties(parameters, rule, sum);
  }
  return { ...sum, subtracted: [] };
}

/** Countables that are made in one step. */
const STEP_COUNTABLES = 256;

interface Sum {
  readonly countables: Countable[];
  constantTokens: number;
}

function* addProperties(schema: JsonObject, rule: PerFieldRule, sum: Sum): Steps<void> {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  if (properties.length > 0) sum.constantTokens += rule.propertiesTokens;
  for (const [key, property] of properties)
    yield* addProperty(key, isObject(property) ? property : {}, rule, sum);
}

function* addProperty(key: string, property: JsonObject, rule: PerFieldRule, sum: Sum): Steps<void> {
  if (sum.countables.length % STEP_COUNTABLES === 0) yield;
  const description = isText(property.description) ? property.description : '';
  const line = new CountableWriter().write(`${key}:${typeName(property.type)}:`);
  sum.countables.push(line.write(withoutLastAscii(description, '.')).finish());
  sum.constantTokens += rule.propertyTokens;
  if (Array.isArray(property.enum)) {
    sum.constantTokens += rule.enumTokens + property.enum.length * rule.enumItemTokens;
    for (const item of property.enum) {
      if (sum.countables.length % STEP_COUNTABLES === 0) yield;
      sum.countables.push(isText(item) ? [item] : yield* canonicalJson(item));
    }
  }
  yield* addProperties(property, rule, sum);
  if (isObject(property.items)) yield* addProperties(property.items, rule, sum);
}

function typeName(type: Json | undefined): string {
  if (typeof type === 'string') return type;
  return Array.isArray(type) ? type.filter((name) => typeof name === 'string').join('|') : 'any';
}
