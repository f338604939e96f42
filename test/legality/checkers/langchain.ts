import { checkFollowingResults, type Paired } from './pairing.js';
import { isNothing, isPlain, type Plain, placed } from './plain.js';
import { checkStrings } from './strings.js';
import type { Check, Violation } from './violation.js';

type Placed = { value: Plain; pointer: string };

const TYPES = new Map([
  ['human', 'human'],
  ['user', 'human'],
  ['HumanMessage', 'human'],
  ['ai', 'ai'],
  ['assistant', 'ai'],
  ['AIMessage', 'ai'],
  ['system', 'system'],
  ['developer', 'system'],
  ['SystemMessage', 'system'],
  ['tool', 'tool'],
  ['ToolMessage', 'tool'],
  ['function', 'function'],
  ['FunctionMessage', 'function'],
]);

/** LangChain, stored, constructor or plain: the pairs that its provider classes would send (formats.md §1, §2). */
export const checkLangchain: Check = (request) => {
  const messages = placed(request.messages, '/messages').map(read);
  return [
    ...checkStrings(request),
    ...(messages.length === 0 ? [{ rule: 'no_messages', pointer: '/messages' } as const] : []),
    ...messages.flatMap(({ type, fields, pointer }): Violation[] => {
      if (type === undefined) return [{ rule: 'unknown_role', pointer }];
      const mayBeAbsent = type === 'ai' && callsOf(fields, pointer).length > 0;
      const isEmpty = fields.content == null ? !mayBeAbsent : isNothing(fields.content);
      return isEmpty ? [{ rule: 'empty_content', pointer }] : [];
    }),
    ...checkFollowingResults(messages.map(pairsOf)),
  ];
};

/** The type of a message and its fields, whichever of the three forms it has. */
function read({ value, pointer }: Placed) {
  const { data, kwargs, id } = value;
  if (isPlain(kwargs) && Array.isArray(id))
    return { type: TYPES.get(String(id.at(-1))), fields: kwargs, pointer };
  if (isPlain(data)) return { type: TYPES.get(String(value.type)), fields: data, pointer };
  return { type: TYPES.get(String(value.role ?? value.type)), fields: value, pointer };
}

function pairsOf({ type, fields, pointer }: ReturnType<typeof read>): Paired {
  return {
    calls: type === 'ai' ? callsOf(fields, pointer) : [],
    results: type === 'tool' ? [{ id: String(fields.tool_call_id), pointer }] : [],
    isResultOnly: type === 'tool',
  };
}

/** Parsed calls, or those that the provider's own answer left in the extra fields. */
function callsOf({ tool_calls, additional_kwargs }: Plain, pointer: string) {
  const extra = isPlain(additional_kwargs) ? additional_kwargs.tool_calls : undefined;
  const given = Array.isArray(tool_calls) && tool_calls.length > 0 ? tool_calls : extra;
  return placed(given, '').map(({ value }) => ({ id: String(value.id), pointer }));
}
