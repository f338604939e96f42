import { isObject, type Json, type JsonObject, type Steps } from '@preflight/core';
import { STEP_ITEMS } from '../step-items.js';
import { spelledField, spellingsOf } from './spelling.js';

/** Each function that is declared, as other formats write it; tools of the provider as they are. */
export function* readTools(tools: readonly JsonObject[]): Steps<Json[]> {
  const read: Json[] = [];
  for (const tool of tools) {
    if (read.length % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const declarations = spelledField(tool, 'functionDeclarations');
    if (!Array.isArray(declarations)) {
      read.push(tool);
      continue;
    }
    for (const declaration of declarations) {
      if (read.length % STEP_ITEMS === STEP_ITEMS - 1) yield;
      read.push(readDeclaration(declaration));
    }
    const others = Object.entries(tool).filter(([name]) => !DECLARATIONS.includes(name));
    if (others.length > 0) read.push(Object.fromEntries(others));
  }
  return read;
}

const DECLARATIONS = spellingsOf('functionDeclarations');

function readDeclaration(declaration: Json): Json {
  if (!isObject(declaration) || isObject(declaration.parameters)) return declaration;
  const parameters = spelledField(declaration, 'parametersJsonSchema');
  return isObject(parameters) ? { ...declaration, parameters } : declaration;
}

/** The choice among functions, in the words of Chat Completions: `none`, or the only one that is allowed. */
export function readToolChoice(request: JsonObject): Json | undefined {
  const toolConfig = spelledField(request, 'toolConfig');
  const config = isObject(toolConfig) ? spelledField(toolConfig, 'functionCallingConfig') : undefined;
  if (!isObject(config)) return undefined;
  if (config.mode === 'NONE') return 'none';
  const allowed = spelledField(config, 'allowedFunctionNames');
  const only = Array.isArray(allowed) && allowed.length === 1 ? allowed[0] : undefined;
  return config.mode === 'ANY' && only !== undefined
    ? { type: 'function', function: { name: only } }
    : undefined;
}
