import type { Json, JsonObject } from '@preflight/core';

/** Fields that are read, in the spelling of JSON and in that of the protocol's sources: the vendor takes both. */
const SNAKE_CASE = {
  cachedContent: 'cached_content',
  systemInstruction: 'system_instruction',
  generationConfig: 'generation_config',
  maxOutputTokens: 'max_output_tokens',
  responseSchema: 'response_schema',
  responseJsonSchema: 'response_json_schema',
  functionDeclarations: 'function_declarations',
  parametersJsonSchema: 'parameters_json_schema',
  toolConfig: 'tool_config',
  functionCallingConfig: 'function_calling_config',
  allowedFunctionNames: 'allowed_function_names',
  functionCall: 'function_call',
  functionResponse: 'function_response',
  inlineData: 'inline_data',
  mediaResolution: 'media_resolution',
  mimeType: 'mime_type',
  fileData: 'file_data',
  thoughtSignature: 'thought_signature',
} as const;

export type SpelledName = keyof typeof SNAKE_CASE;

/** How an object spells a field: as it has it, or in camelCase if it has it not. */
export function spellingIn(object: JsonObject, name: SpelledName): string {
  const other = SNAKE_CASE[name];
  return object[name] === undefined && object[other] !== undefined ? other : name;
}

/** A field, however it is spelled. */
export function spelledField(object: JsonObject, name: SpelledName): Json | undefined {
  return object[spellingIn(object, name)];
}

/** Both spellings. */
export function spellingsOf(name: SpelledName): readonly [string, string] {
  return [name, SNAKE_CASE[name]];
}
