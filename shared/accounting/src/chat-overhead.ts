import {
  type Conversation,
  type Countable,
  isAbsent,
  isObject,
  isText,
  type Json,
  type Message,
} from '@preflight/core';
import { canonicalJson } from './canonical-json.js';
import type { Overhead } from './overhead.js';
import type { OverheadRule } from './overhead-rules.js';
import { toolSchemaOverhead } from './tool-schemas.js';

const NOTHING: readonly Countable[] = [];

/** What a message costs beside its content and attachments: role, name, calls and their formatting (accounting.md §2). */
export function messageOverhead(message: Message, rule: OverheadRule): Overhead {
  const countables: Countable[] = [[message.role]];
  let constantTokens = rule.messageTokens;
  if (message.role === 'function') constantTokens += rule.functionRoleTokens;
  if (message.name !== undefined) {
    countables.push([message.name]);
    constantTokens += rule.nameTokens;
  }
  if (message.functionCall !== undefined) {
    countables.push(...calledFunction(message.functionCall));
    constantTokens += rule.functionCallTokens;
  }
  for (const call of message.toolCalls ?? []) {
    countables.push(...calledTool(call));
    constantTokens += rule.toolCallTokens;
  }
  for (const text of message.otherTexts ?? []) countables.push([text]);
  return { countables, subtracted: NOTHING, constantTokens };
}

/** What belongs to no message: the start of the reply, tool schemas and the choice among them. */
export function requestOverhead(conversation: Conversation, rule: OverheadRule): Overhead {
  if (conversation.tools.length === 0) {
    return { countables: NOTHING, subtracted: NOTHING, constantTokens: rule.primingTokens };
  }
  const schemas = toolSchemaOverhead(conversation, rule.toolSchemas);
  return { ...schemas, constantTokens: schemas.constantTokens + rule.primingTokens };
}

/** A call of `tool_calls`. Kinds of calls that we do not know count as the text they travel as. */
function calledTool(call: Json): Countable[] {
  const called = isObject(call) ? (call.function ?? call.custom) : undefined;
  return isAbsent(called) ? [canonicalJson(call)] : calledFunction(called);
}

function calledFunction(called: Json): Countable[] {
  if (!isObject(called) || !isText(called.name)) return [canonicalJson(called)];
  const given = called.arguments ?? called.input;
  return isAbsent(given) ? [[called.name]] : [[called.name], argumentsCountable(given)];
}

/** Arguments are text; some clients send the object instead. */
function argumentsCountable(given: Json): Countable {
  return isText(given) ? [given] : canonicalJson(given);
}
