import { type Conversation, type Countable, isObject, isText, type Json, type Steps } from '@preflight/core';
import { canonicalJson } from './canonical-json.js';
import { declarationsOf } from './declaration-text.js';
import type { Tally } from './overhead.js';
import type { DeclarationRule, JsonRule, ToolSchemaRule } from './overhead-rules.js';
import { perFieldOverhead } from './per-field-schemas.js';
import { readDefinition, type ToolDefinition } from './tool-definition.js';

/** What the tools of a conversation that has some cost, and the choice among them (accounting.md §2). */
export function* toolSchemaOverhead(conversation: Conversation, rule: ToolSchemaRule): Steps<Tally> {
  if (rule.kind === 'json') return yield* jsonOverhead(conversation, rule);
  const definitions: ToolDefinition[] = [];
  const countables: Countable[] = [];
  for (const [index, tool] of conversation.tools.entries()) {
    if (index % 64 === 63) yield;
    const definition = readDefinition(tool);
    // Built-in and custom tools have no published rule: the text that they travel as.
    if (definition === undefined) countables.push(yield* canonicalJson(tool));
    else definitions.push(definition);
  }
  const choice = choiceOverhead(conversation.toolChoice, rule);
  const schemas =
    rule.kind === 'declaration'
      ? yield* declarationOverhead(definitions, conversation, rule)
      : yield* perFieldOverhead(definitions, rule);
  return {
    countables: [...countables, ...schemas.countables, ...choice.countables],
    subtracted: schemas.subtracted,
    constantTokens: schemas.constantTokens + choice.constantTokens,
  };
}

function* declarationOverhead(
  definitions: readonly ToolDefinition[],
  conversation: Conversation,
  rule: DeclarationRule,
): Steps<Tally> {
  if (definitions.length === 0) return { countables: [], subtracted: [], constantTokens: 0 };
  const countables: Countable[] = [yield* declarationsOf(definitions)];
  // Only of those that no strategy touches: what is left of the request must count what it is said to count.
  const front = conversation.messages.slice(0, conversation.protectedCount);
  const system = front.find(({ role }) => role === 'system');
  if (system === undefined) return { countables, subtracted: [], constantTokens: rule.wrapperTokens };
  // The first system message gets a trailing newline, which may merge with its last token.
  const lastText = system.texts.at(-1) ?? '';
  return {
    countables: [...countables, typeof lastText === 'string' ? [`${lastText}\n`] : [lastText, '\n']],
    subtracted: [[lastText]],
    constantTokens: rule.wrapperTokens + rule.systemMessageTokens,
  };
}

function* jsonOverhead({ tools, toolChoice }: Conversation, rule: JsonRule): Steps<Tally> {
  const countables: Countable[] = [];
  for (const tool of tools) countables.push(yield* canonicalJson(tool));
  const { instructionTokens, forcedInstructionTokens } = rule;
  const constantTokens = isForced(toolChoice) ? forcedInstructionTokens : instructionTokens;
  return { countables, subtracted: [], constantTokens };
}

/** Whether a choice leaves no answer without a call, in the words of any provider. */
function isForced(choice: Json | undefined): boolean {
  if (!isObject(choice)) return choice === 'required' || choice === 'any';
  const { type, any, tool, name, function: called } = choice;
  return type === 'any' || type === 'tool' || [any, tool, called].some(isObject) || isText(name);
}

function choiceOverhead(
  choice: Json | undefined,
  rule: ToolSchemaRule,
): Pick<Tally, 'countables' | 'constantTokens'> {
  if (choice === 'none') return { countables: [], constantTokens: rule.choiceNoneTokens };
  if (isObject(choice) && isText(choice.name)) {
    return { countables: [[choice.name]], constantTokens: rule.choiceFunctionTokens };
  }
  if (isObject(choice) && isObject(choice.function) && isText(choice.function.name)) {
    return { countables: [[choice.function.name]], constantTokens: rule.choiceToolTokens };
  }
  return { countables: [], constantTokens: 0 };
}
