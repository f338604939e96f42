import { checkFollowingResults, type Named, type Paired } from './pairing.js';
import { isNothing, type Plain, placed } from './plain.js';
import { checkStrings } from './strings.js';
import type { Check, Violation } from './violation.js';

type Placed = { value: Plain; pointer: string };

/** Vercel AI SDK: UI messages with `parts`, model messages with `content` (formats.md §1, §2, §3). */
export const checkAiSdk: Check = (request) => {
  const messages = placed(request.messages, '/messages');
  return [
    ...checkStrings(request),
    ...(messages.length === 0 ? [{ rule: 'no_messages', pointer: '/messages' } as const] : []),
    ...messages.flatMap(checkMessage),
    ...checkFollowingResults(messages.map(pairsOf)).filter(
      ({ rule, pointer }) => rule !== 'call_without_result' || !isDecided(pointer, messages),
    ),
  ];
};

/** The user has decided whether the call at a place is made, so that its result comes next. */
function isDecided(pointer: string, messages: readonly Placed[]): boolean {
  const parts = messages.flatMap((message) => placed(message.value.content, `${message.pointer}/content`));
  const call = parts.find((part) => part.pointer === pointer)?.value;
  const asked = parts.filter(({ value }) => value.type === 'tool-approval-request');
  const answered = parts.filter(({ value }) => value.type === 'tool-approval-response');
  return asked.some(
    ({ value }) =>
      value.toolCallId === call?.toolCallId &&
      answered.some((answer) => answer.value.approvalId === value.approvalId),
  );
}

function checkMessage({ value: { role, content, parts }, pointer }: Placed): Violation[] {
  const isUi = parts !== undefined;
  const roles = isUi ? ['system', 'user', 'assistant'] : ['system', 'user', 'assistant', 'tool'];
  const found: Violation[] = [];
  if (!roles.includes(role as string)) found.push({ rule: 'unknown_role', pointer: `${pointer}/role` });
  const list = isUi ? parts : content;
  if (isNothing(list))
    found.push({ rule: 'empty_content', pointer: `${pointer}/${isUi ? 'parts' : 'content'}` });
  for (const part of placed(content, `${pointer}/content`)) {
    const { type } = part.value;
    if (type === 'tool-call' && role !== 'assistant')
      found.push({ rule: 'misplaced_part', pointer: part.pointer });
    if (type === 'tool-result' && role !== 'tool' && role !== 'assistant')
      found.push({ rule: 'misplaced_part', pointer: part.pointer });
  }
  return found;
}

/** A UI part holds call and result; one that is still waiting for its output is a call alone. */
function pairsOf({ value: { role, content, parts }, pointer }: Placed): Paired {
  const inUi = placed(parts, `${pointer}/parts`).filter(({ value }) => isUiTool(value));
  const inModel = placed(content, `${pointer}/content`);
  const calls = role === 'assistant' ? inModel.filter(({ value }) => isOwnCall(value)) : [];
  const results = inModel.filter(({ value }) => value.type === 'tool-result' && role === 'tool');
  return {
    calls: [...inUi, ...calls].map(named),
    results: [...inUi.filter(({ value }) => isAnswered(value)), ...results].map(named),
    isResultOnly: role === 'tool',
  };
}

function isOwnCall({ type, providerExecuted }: Plain): boolean {
  return type === 'tool-call' && providerExecuted !== true;
}

function isUiTool({ type, providerExecuted }: Plain): boolean {
  const isTool = typeof type === 'string' && (type.startsWith('tool-') || type === 'dynamic-tool');
  return isTool && providerExecuted !== true;
}

function isAnswered({ state }: Plain): boolean {
  return typeof state === 'string' && state.startsWith('output-');
}

function named({ value, pointer }: Placed): Named {
  return { id: String(value.toolCallId), pointer };
}
