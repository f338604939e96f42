import {
  type Conversation,
  type Countable,
  isAbsent,
  isObject,
  isText,
  type Json,
  type Message,
  type Steps,
} from '@preflight/core';
import { canonicalJson } from './canonical-json.js';
import type { Overhead } from './overhead.js';
import type { OverheadRule } from './overhead-rules.js';
import { toolSchemaOverhead } from './tool-schemas.js';

const NOTHING: readonly Countable[] = [];

/** What a message costs beside its content and attachments: role, name, calls and their formatting (accounting.md §2). */
export function* messageOverhead(message: Message, rule: OverheadRule): Steps<Overhead> {
  const countables: Countable[] = [[message.role]];
  let constantTokens = rule.messageTokens;
  if (message.role === 'function') constantTokens += rule.functionRoleTokens;
  if (message.name !== undefined) {
    countables.push([message.name]);
    constantTokens += rule.nameTokens;
  }
  if (message.functionCall !== undefined) {
    countables.push(...(yield* calledFunction(message.functionCall)));
    constantTokens += rule.functionCallTokens;
  }
  for (const [index, call] of (message.toolCalls ?? []).entries()) {
    if (index % 64 === 63) yield;
    countables.push(...(yield* calledTool(call)));
    constantTokens += rule.toolCallTokens;
  }
  for (const text of message.otherTexts ?? []) countables.push([text]);
  for (const part of message.otherParts ?? []) countables.push(yield* canonicalJson(part));
  return { countables, subtracted: NOTHING, constantTokens };
}

/** What belongs to no message: the start of the reply, tool schemas and the choice among them, other schemas. */
export function* requestOverhead(conversation: Conversation, rule: OverheadRule): Steps<Overhead> {
  const { tools, schemas = [] } = conversation;
  const countables: Countable[] = [];
  for (const schema of schemas) countables.push(yield* canonicalJson(schema));
  if (tools.length === 0) return { countables, subtracted: NOTHING, constantTokens: rule.primingTokens };
  const ofTools = yield* toolSchemaOverhead(conversation, rule.toolSchemas);
  return {
    countables: [...countables, ...ofTools.countables],
    subtracted: ofTools.subtracted,
    constantTokens: ofTools.constantTokens + rule.primingTokens,
  };
}

/** A call of `tool_calls`. Kinds of calls that we do not know count as the text they travel as. */
function* calledTool(call: Json): Steps<Countable[]> {
  return yield* calledFunction(isObject(call) ? (call.function ?? call.custom ?? call) : call);
}

function* calledFunction(called: Json): Steps<Countable[]> {
  if (!isObject(called) || !isText(called.name)) return [yield* canonicalJson(called)];
  const given = called.arguments ?? called.input ?? called.args;
  if (isAbsent(given)) return [[called.name]];
  return [[called.name], yield* argumentsCountable(given)];
}

/** Arguments are text; some clients send the object instead. */
function* argumentsCountable(given: Json): Steps<Countable> {
  return isText(given) ? [given] : yield* canonicalJson(given);
}
