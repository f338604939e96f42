import { type Countable, isObject, isText, type Json, type JsonObject } from '@preflight/core';
import { canonicalJson } from './canonical-json.js';
import { CountableWriter } from './countable-writer.js';
import type { Overhead } from './overhead.js';
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
export function perFieldOverhead(definitions: readonly ToolDefinition[], rule: PerFieldRule): Overhead {
  if (definitions.length === 0) return { countables: [], subtracted: [], constantTokens: 0 };
  const sum: Sum = { countables: [], constantTokens: rule.endTokens };
  for (const { name, description, parameters } of definitions) {
    sum.constantTokens += rule.functionTokens;
    const line = new CountableWriter().write(name).write(':').write(withoutLastAscii(description, '.'));
    sum.countables.push(line.finish());
    addProperties(parameters, rule, sum);
  }
  return { ...sum, subtracted: [] };
}

interface Sum {
  readonly countables: Countable[];
  constantTokens: number;
}

function addProperties(schema: JsonObject, rule: PerFieldRule, sum: Sum): void {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  if (properties.length > 0) sum.constantTokens += rule.propertiesTokens;
  for (const [key, property] of properties) addProperty(key, isObject(property) ? property : {}, rule, sum);
}

function addProperty(key: string, property: JsonObject, rule: PerFieldRule, sum: Sum): void {
  const description = isText(property.description) ? property.description : '';
  const line = new CountableWriter().write(`${key}:${typeName(property.type)}:`);
  sum.countables.push(line.write(withoutLastAscii(description, '.')).finish());
  sum.constantTokens += rule.propertyTokens;
  if (Array.isArray(property.enum)) {
    sum.constantTokens += rule.enumTokens + property.enum.length * rule.enumItemTokens;
    for (const item of property.enum) sum.countables.push(isText(item) ? [item] : canonicalJson(item));
  }
  addProperties(property, rule, sum);
  if (isObject(property.items)) addProperties(property.items, rule, sum);
}

function typeName(type: Json | undefined): string {
  if (typeof type === 'string') return type;
  return Array.isArray(type) ? type.filter((name) => typeof name === 'string').join('|') : 'any';
}
