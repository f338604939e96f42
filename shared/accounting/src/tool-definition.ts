import { isObject, isText, type Json, type JsonObject, type TextRef } from '@preflight/core';

/** A function that a model may call, as the rules for schemas read it. */
export interface ToolDefinition {
  readonly name: TextRef;
  readonly description: TextRef;
  readonly parameters: JsonObject;
}

/** `{type: "function", function}` of `tools`, or a bare function of the legacy `functions`; undefined for others. */
export function readDefinition(tool: Json): ToolDefinition | undefined {
  const definition = isObject(tool) && isObject(tool.function) ? tool.function : tool;
  if (!isObject(definition) || !isText(definition.name)) return undefined;
  return {
    name: definition.name,
    description: isText(definition.description) ? definition.description : '',
    parameters: isObject(definition.parameters) ? definition.parameters : {},
  };
}
