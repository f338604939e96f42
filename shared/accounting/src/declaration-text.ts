import { type Countable, isObject, isText, type Json, type JsonObject, type Steps } from '@preflight/core';
import { writeCanonicalJson } from './canonical-json.js';
import { CountableWriter } from './countable-writer.js';
import { isEmptyText } from './text-ends.js';
import type { ToolDefinition } from './tool-definition.js';

/**
 * Functions as the TypeScript declarations that gpt-3.5 and gpt-4 are said to see (accounting.md §2, declaration
 * rule). What JSON Schema says beyond types, enums and descriptions is not shown.
 */
export function* declarationsOf(definitions: readonly ToolDefinition[]): Steps<Countable> {
  const writer = new CountableWriter().write('namespace functions {\n\n');
  for (const definition of definitions) yield* writeDeclaration(definition, writer);
  return writer.write('} // namespace functions').finish();
}

function* writeDeclaration(
  { name, description, parameters }: ToolDefinition,
  writer: CountableWriter,
): Steps<void> {
  if (writer.isStepOver()) yield;
  if (!isEmptyText(description)) writer.write('// ').write(description).write('\n');
  writer.write('type ').write(name);
  if (propertiesOf(parameters).length === 0) {
    writer.write(' = () => any;\n\n');
    return;
  }
  writer.write(' = (_: {\n');
  yield* writeProperties(parameters, '', writer);
  writer.write('\n}) => any;\n\n');
}

function* writeProperties(schema: JsonObject, indent: string, writer: CountableWriter): Steps<void> {
  const required = new Set<Json>();
  for (const name of Array.isArray(schema.required) ? schema.required : []) {
    if (writer.isStepOver()) yield;
    required.add(name);
  }
  for (const [index, [key, property]] of propertiesOf(schema).entries()) {
    if (writer.isStepOver()) yield;
    if (index > 0) writer.write('\n');
    if (isObject(property) && isText(property.description) && !isEmptyText(property.description)) {
      writer.write(`${indent}// `).write(property.description).write('\n');
    }
    writer.write(`${indent}${key}${required.has(key) ? '' : '?'}: `);
    yield* writeType(property, indent, writer);
    writer.write(',');
  }
}

function* writeType(schema: Json | undefined, indent: string, writer: CountableWriter): Steps<void> {
  if (!isObject(schema)) writer.write('any');
  else if (Array.isArray(schema.enum) && schema.enum.length > 0) yield* writeEnum(schema.enum, writer);
  else if (schema.type === 'object') {
    writer.write('{\n');
    yield* writeProperties(schema, `${indent}  `, writer);
    writer.write('\n}');
  } else if (schema.type === 'array') {
    yield* writeType(schema.items, indent, writer);
    writer.write('[]');
  } else writer.write(SIMPLE_TYPES.get(schema.type) ?? 'any');
}

/** A missing or unknown type is `any`. */
const SIMPLE_TYPES: ReadonlyMap<Json | undefined, string> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

function* writeEnum(items: readonly Json[], writer: CountableWriter): Steps<void> {
  for (const [index, item] of items.entries()) {
    if (writer.isStepOver()) yield;
    if (index > 0) writer.write(' | ');
    if (isText(item)) writer.write('"').write(item).write('"');
    else yield* writeCanonicalJson(item, writer);
  }
}

function propertiesOf(schema: JsonObject): [string, Json][] {
  return isObject(schema.properties) ? Object.entries(schema.properties) : [];
}
