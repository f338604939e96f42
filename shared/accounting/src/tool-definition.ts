import { isObject, isText, type Json, type JsonObject, type TextRef } from '@preflight/core';

/** A function that a model may call, as the rules for schemas read it. */
export interface ToolDefinition {
  readonly name: TextRef;
  readonly description: TextRef;
  readonly parameters: JsonObject;
}

/**
 * `{type: "function", function}` of `tools`, a bare function of the legacy `functions`, or what other providers write:
 * `input_schema`, `{toolSpec}`. Undefined for tools that are no functions.
 */
export function readDefinition(tool: Json): ToolDefinition | undefined {
  if (!isObject(tool)) return undefined;
  const definition = [tool.function, tool.toolSpec].find(isObject) ?? tool;
  if (!isText(definition.name)) return undefined;
  const { parameters, input_schema, inputSchema } = definition;
  const schema = [parameters, input_schema, isObject(inputSchema) ? inputSchema.json : undefined].find(
    isObject,
  );
  // A tool of another type that has no schema: the provider's own, or one whose input is a text by some grammar.
  if (schema === undefined && isText(definition.type) && definition.type !== 'function') return undefined;
  return {
    name: definition.name,
    description: isText(definition.description) ? definition.description : '',
    parameters: schema ?? {},
  };
}
