import { checkFollowingResults, type Paired } from './pairing.js';
import { isNothing, isPlain, listOf, type Plain, placed } from './plain.js';
import { checkStrings } from './strings.js';
import type { Check, Violation } from './violation.js';

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);
const MEDIA = new Set(['image_url', 'file', 'input_audio']);

/** OpenAI Chat Completions (formats.md §1, §2, §3, §5). */
export const checkOpenaiChat: Check = (request) => {
  const messages = placed(request.messages, '/messages');
  return [
    ...checkStrings(request),
    ...(messages.length === 0 ? [{ rule: 'no_messages', pointer: '/messages' } as const] : []),
    ...messages.flatMap(({ value, pointer }) => checkMessage(value, pointer)),
    ...checkFollowingResults(messages.map(({ value, pointer }) => pairsOf(value, pointer))),
    ...checkLegacyFunctions(messages),
    ...checkLimits(request),
  ];
};

function checkMessage(message: Plain, pointer: string): Violation[] {
  const { role, content } = message;
  const found: Violation[] = [];
  if (!ROLES.has(role as string)) found.push({ rule: 'unknown_role', pointer: `${pointer}/role` });
  const mayBeAbsent = role === 'function' || hasDoneElse(message);
  if (content == null ? !mayBeAbsent : isNothing(content))
    found.push({ rule: 'empty_content', pointer: `${pointer}/content` });
  for (const part of placed(content, `${pointer}/content`)) {
    if (part.value.type === 'image_url' && !isPlain(part.value.image_url))
      found.push({ rule: 'malformed', pointer: part.pointer });
    else if (MEDIA.has(part.value.type as string) && role !== 'user')
      found.push({ rule: 'misplaced_media', pointer: part.pointer });
  }
  for (const field of ['tool_calls', 'function_call'])
    if (message[field] != null && role !== 'assistant')
      found.push({ rule: 'misplaced_part', pointer: `${pointer}/${field}` });
  return found;
}

/** What may stand in place of content; from whom, is another rule. */
function hasDoneElse({ tool_calls, function_call, refusal, audio, files }: Plain): boolean {
  return (
    listOf(tool_calls).length > 0 ||
    [function_call, refusal, audio].some((done) => done != null) ||
    listOf(files).length > 0
  );
}

function pairsOf(message: Plain, pointer: string): Paired {
  const calls =
    message.role === 'assistant'
      ? placed(message.tool_calls, `${pointer}/tool_calls`).map((call) => ({
          id: String(call.value.id),
          pointer: call.pointer,
        }))
      : [];
  const isResultOnly = message.role === 'tool';
  return {
    calls,
    results: isResultOnly ? [{ id: String(message.tool_call_id), pointer }] : [],
    isResultOnly,
  };
}

/** The legacy pair goes by position: the result directly behind the message that calls. */
function checkLegacyFunctions(messages: readonly { value: Plain; pointer: string }[]): Violation[] {
  return messages.flatMap(({ value, pointer }, index): Violation[] => {
    const before = messages[index - 1]?.value;
    const after = messages[index + 1]?.value;
    const isCalledBefore = before?.role === 'assistant' && isPlain(before.function_call);
    if (value.role === 'function' && !isCalledBefore) return [{ rule: 'result_without_call', pointer }];
    if (value.role === 'assistant' && isPlain(value.function_call) && after?.role !== 'function')
      return [{ rule: 'call_without_result', pointer: `${pointer}/function_call` }];
    return [];
  });
}

function checkLimits(request: Plain): Violation[] {
  const parts = listOf(request.messages).flatMap((message) =>
    isPlain(message) ? placed(message.content, '') : [],
  );
  const images = parts.filter(({ value }) => value.type === 'image_url').length;
  const found: Violation[] = [];
  if (images > 1_500) found.push({ rule: 'too_many_media', pointer: '/messages' });
  if (Buffer.byteLength(JSON.stringify(request)) > 512_000_000)
    found.push({ rule: 'body_too_large', pointer: '' });
  return found;
}
