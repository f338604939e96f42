import { isAbsent, isObject, type Json, type JsonObject, type Steps } from '@preflight/core';
import { type Entry, idOf, type Part, partsOfContent, textPart } from './entry.js';
import { fileRules } from './file-rules.js';
import type { Legality, Rule } from './legality.js';
import { noEmptyLists, rolesAre } from './rules/contents.js';
import { resultsFollow } from './rules/pairs.js';
import { notEmpty } from './rules/whole-request.js';

const types = (detail: string): Rule => ({ detail, source: 'types of @langchain/core 1.4', asOf: '2026-11' });
const pairs = (detail: string): Rule => ({ detail, source: 'langchain-ai/langchain#33245', asOf: '2026-11' });

/** What providers refuse of what LangChain's classes send them: broken pairs, above all (formats.md §1, §2). */
export const langchainLegality: Legality = {
  provider: "LangChain's provider classes",
  list: 'messages',
  read: readLangchainEntry,
  rules: {
    malformed: types('a message has the shape that its type asks for'),
    no_messages: types('there is at least one message'),
    unknown_role: types('the type is human, ai, system, developer, tool or function'),
    ill_formed_string: types('the body is JSON in UTF-8, which has no half surrogate pairs'),
    empty_content: types(
      'a message has content, which is no empty list; of an ai message, calls may stand in its place',
    ),
    ...fileRules(types),
    result_without_call: pairs('a tool message follows an ai message that holds its id'),
    call_without_result: pairs('every call id is answered before the next message that is no result'),
    reused_call_id: pairs('no two open calls have the same id'),
  },
  scans: [
    notEmpty('messages'),
    rolesAre('system', 'user', 'assistant', 'tool', 'function'),
    noEmptyLists,
    resultsFollow,
  ],
};

const ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  user: 'user',
  HumanMessage: 'user',
  HumanMessageChunk: 'user',
  ai: 'assistant',
  assistant: 'assistant',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  system: 'system',
  developer: 'system',
  SystemMessage: 'system',
  tool: 'tool',
  ToolMessage: 'tool',
  function: 'function',
  FunctionMessage: 'function',
};

/** A message as it is stored, as its constructor is serialized, or plain. */
function* readLangchainEntry(message: JsonObject): Steps<Entry> {
  const { kwargs, data, id } = message;
  if (isObject(kwargs) && Array.isArray(id)) return yield* entryOf(id.at(-1), kwargs, ['kwargs']);
  if (isObject(data)) return yield* entryOf(message.type, data, ['data']);
  return yield* entryOf(message.role ?? message.type, message, []);
}

function* entryOf(type: Json | undefined, fields: JsonObject, path: Part['path']): Steps<Entry> {
  const role = ROLES[idOf(type)] ?? `unknown: ${idOf(type)}`;
  const content = yield* partsOfContent(fields.content, [...path, 'content'], readBlock);
  if (role === 'tool')
    return { role, parts: [{ kind: 'result', path: [], id: idOf(fields.tool_call_id) }, ...content] };
  if (role !== 'assistant') return { role, parts: content };
  const calls = callsOf(fields, path);
  if (calls.length === 0) return { role, parts: content };
  // Blocks of calls are those of the list over again, and calls may stand in the place of content.
  const said = isAbsent(fields.content) ? [] : content.filter(({ kind }) => kind !== 'call');
  return { role, parts: [...said, ...calls] };
}

/** Parsed calls, or those that the provider's own answer left among the extra fields. */
function callsOf({ tool_calls, additional_kwargs }: JsonObject, path: Part['path']): Part[] {
  const hasParsed = Array.isArray(tool_calls) && tool_calls.length > 0;
  const extra = isObject(additional_kwargs) ? additional_kwargs.tool_calls : undefined;
  const calls = hasParsed ? tool_calls : extra;
  const at = hasParsed ? [...path, 'tool_calls'] : [...path, 'additional_kwargs', 'tool_calls'];
  return (Array.isArray(calls) ? calls : []).map((call, index) => ({
    kind: 'call',
    path: [...at, index],
    id: isObject(call) ? idOf(call.id) : '',
  }));
}

function readBlock(block: JsonObject, path: Part['path']): Part {
  if (block.type === 'text') return textPart(block.text, path);
  if (block.type === 'tool_call') return { kind: 'call', path, id: idOf(block.id) };
  return { kind: block.type === 'reasoning' ? 'thinking' : 'other', path };
}
