import {
  type Conversation,
  type Countable,
  isAbsent,
  isObject,
  isText,
  type Json,
  type Message,
  type Steps,
  type TextRef,
} from '@preflight/core';
import { canonicalJson } from './canonical-json.js';
import type { Overhead } from './overhead.js';
import type { OverheadRule } from './overhead-rules.js';
import { toolSchemaOverhead } from './tool-schemas.js';

const NOTHING: readonly Countable[] = [];

/**
 * What a message costs beside its content and attachments, by kind: role and formatting, name, calls, reasoning, other
 * parts (accounting.md §2). What is bound to its prefix (`boundTexts`) is left out, since it is told apart.
 */
export function* messageOverhead(message: Message, rule: OverheadRule): Steps<Overhead[]> {
  const { role, name, reasoning = [], otherTexts = [], otherParts = [] } = message;
  const roleTokens = role === 'function' ? rule.functionRoleTokens : 0;
  const overheads: Overhead[] = [
    {
      kind: 'formatting',
      countables: [[role]],
      subtracted: NOTHING,
      constantTokens: rule.messageTokens + roleTokens,
    },
  ];
  if (name !== undefined) overheads.push({ ...ofTexts('name', [name]), constantTokens: rule.nameTokens });
  if (message.functionCall !== undefined || message.toolCalls !== undefined)
    overheads.push(yield* callOverhead(message, rule));
  if (reasoning.length > 0) overheads.push(ofTexts('reasoning', reasoning));
  if (otherTexts.length > 0) overheads.push(ofTexts('other', otherTexts));
  if (otherParts.length > 0) overheads.push(yield* ofJson('other', otherParts));
  return overheads;
}

/** What belongs to no message: the start of the reply, tool schemas and the choice among them, other schemas. */
export function* requestOverhead(conversation: Conversation, rule: OverheadRule): Steps<Overhead[]> {
  const { tools, schemas = [], instructions = [] } = conversation;
  const instructionTokens = instructions.length > 0 ? rule.instructionTokens : 0;
  const overheads: Overhead[] = [
    { ...ofTexts('formatting', []), constantTokens: rule.primingTokens + instructionTokens },
  ];
  if (schemas.length > 0) overheads.push(yield* ofJson('schemas', schemas));
  if (tools.length > 0)
    overheads.push({ kind: 'tools', ...(yield* toolSchemaOverhead(conversation, rule.toolSchemas)) });
  return overheads;
}

function ofTexts(kind: Overhead['kind'], texts: readonly TextRef[]): Overhead {
  return { kind, countables: texts.map((text) => [text]), subtracted: NOTHING, constantTokens: 0 };
}

function* ofJson(kind: Overhead['kind'], values: readonly Json[]): Steps<Overhead> {
  const countables: Countable[] = [];
  for (const value of values) countables.push(yield* canonicalJson(value));
  return { kind, countables, subtracted: NOTHING, constantTokens: 0 };
}

function* callOverhead({ functionCall, toolCalls = [] }: Message, rule: OverheadRule): Steps<Overhead> {
  const countables: Countable[] = functionCall === undefined ? [] : yield* calledFunction(functionCall);
  for (const [index, call] of toolCalls.entries()) {
    if (index % 64 === 63) yield;
    countables.push(...(yield* calledTool(call)));
  }
  return {
    kind: 'tool_calls',
    countables,
    subtracted: NOTHING,
    constantTokens:
      (functionCall === undefined ? 0 : rule.functionCallTokens) + toolCalls.length * rule.toolCallTokens,
  };
}

/** A call of `tool_calls`. Kinds of calls that we do not know count as the text they travel as. */
function* calledTool(call: Json): Steps<Countable[]> {
  const called = isObject(call) ? (call.function ?? call.custom) : undefined;
  return isAbsent(called) ? [yield* canonicalJson(call)] : yield* calledFunction(called);
}

function* calledFunction(called: Json): Steps<Countable[]> {
  if (!isObject(called) || !isText(called.name)) return [yield* canonicalJson(called)];
  const given = called.arguments ?? called.input;
  if (isAbsent(given)) return [[called.name]];
  return [[called.name], yield* argumentsCountable(given)];
}

/** Arguments are text; some clients send the object instead. */
function* argumentsCountable(given: Json): Steps<Countable> {
  return isText(given) ? [given] : yield* canonicalJson(given);
}
