import { checkNextMessageResults, type Paired } from './pairing.js';
import { isBlank, isNothing, isPlain, type Plain, placed } from './plain.js';
import { checkStrings } from './strings.js';
import type { Check, Violation } from './violation.js';

type Placed = { value: Plain; pointer: string };

/** Anthropic Messages (formats.md §1, §2, §3, §5). */
export const checkAnthropicMessages: Check = (request, model) => {
  const messages = placed(request.messages, '/messages');
  return [
    ...checkStrings(request),
    ...(messages.every(({ value }) => value.role === 'system')
      ? [{ rule: 'no_messages', pointer: '/messages' } as const]
      : []),
    ...(request.max_tokens == null ? [{ rule: 'missing_field', pointer: '/max_tokens' } as const] : []),
    ...messages.flatMap(({ value, pointer }, index) =>
      checkMessage(value, pointer, index === messages.length - 1),
    ),
    ...checkNextMessageResults(messages.filter(({ value }) => value.role !== 'system').map(pairsOf)),
    ...checkSystemMessages(messages),
    ...checkEnd(messages, model),
    ...checkAlternation(messages),
    ...checkLimits(request, messages),
  ];
};

function checkMessage({ role, content }: Plain, pointer: string, isLast: boolean): Violation[] {
  const found: Violation[] = [];
  const place = `${pointer}/content`;
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    found.push({ rule: 'unknown_role', pointer: `${pointer}/role` });
  const mayBeBlank = isLast && role === 'assistant';
  if (isNothing(content) || (isBlank(content) && !mayBeBlank))
    found.push({ rule: 'empty_content', pointer: place });
  let isBehindText = false;
  for (const { value: block, pointer: at } of placed(content, place)) {
    if (block.type === 'text' && isBlank(block.text)) found.push({ rule: 'empty_content', pointer: at });
    if (isMedia(block) && role !== 'user') found.push({ rule: 'misplaced_media', pointer: at });
    const owner = OWNERS.get(block.type as string);
    if (owner !== undefined && owner !== role) found.push({ rule: 'misplaced_part', pointer: at });
    if (block.type === 'thinking' && (typeof block.signature !== 'string' || block.signature === ''))
      found.push({ rule: 'unsigned_thinking', pointer: at });
    if (block.type === 'tool_result' && isBehindText)
      found.push({ rule: 'results_behind_text', pointer: at });
    if (block.type !== 'tool_result') isBehindText = true;
  }
  return found;
}

const OWNERS = new Map([
  ['tool_use', 'assistant'],
  ['thinking', 'assistant'],
  ['redacted_thinking', 'assistant'],
  ['tool_result', 'user'],
]);

function isMedia({ type }: Plain): boolean {
  return type === 'image' || type === 'document';
}

function pairsOf({ value: { role, content }, pointer }: Placed): Paired {
  const blocks = placed(content, `${pointer}/content`);
  const named = (type: string, field: string) =>
    blocks
      .filter(({ value }) => value.type === type)
      .map(({ value, pointer }) => ({ id: String(value[field]), pointer }));
  return {
    calls: role === 'assistant' ? named('tool_use', 'id') : [],
    results: role === 'user' ? named('tool_result', 'tool_use_id') : [],
    isResultOnly: false,
    isUser: role === 'user',
  };
}

function checkSystemMessages(messages: readonly Placed[]): Violation[] {
  return messages.flatMap(({ value, pointer }, index): Violation[] => {
    if (value.role !== 'system') return [];
    const before = messages.slice(0, index).findLast((message) => message.value.role !== 'system');
    const isMisplaced = before === undefined || pairsOf(before).calls.length > 0;
    return isMisplaced ? [{ rule: 'misplaced_system', pointer }] : [];
  });
}

/** Models of 4.6 and later answer; they do not go on writing. */
function checkEnd(messages: readonly Placed[], model: string): Violation[] {
  const last = messages.at(-1);
  const version = /claude-(?:opus|sonnet|haiku|fable|mythos)-(\d+)(?:[-.](\d{1,2}))?(?!\d)/.exec(model);
  if (last?.value.role !== 'assistant' || version === null) return [];
  const isPrefillRefused = Number(version[1]) * 100 + Number(version[2] ?? 0) >= 406;
  return isPrefillRefused ? [{ rule: 'prefill', pointer: last.pointer }] : [];
}

function checkAlternation(messages: readonly Placed[]): Violation[] {
  const spoken = messages.filter(({ value }) => value.role !== 'system');
  return spoken.flatMap(({ value, pointer }, index): Violation[] =>
    spoken[index - 1]?.value.role === value.role ? [{ rule: 'roles_alternate', pointer }] : [],
  );
}

function checkLimits(request: Plain, messages: readonly Placed[]): Violation[] {
  const found: Violation[] = [];
  const blocks = messages.flatMap(({ value, pointer }) =>
    placed(value.content, `${pointer}/content`).flatMap((block) => [
      block,
      ...placed(block.value.content, `${block.pointer}/content`),
    ]),
  );
  const images = blocks.filter(({ value }) => value.type === 'image');
  if (images.length > 600) found.push({ rule: 'too_many_media', pointer: '/messages' });
  for (const { value, pointer } of images) {
    const data = isPlain(value.source) ? value.source.data : undefined;
    if (typeof data === 'string' && data.length > 10_000_000) found.push({ rule: 'item_too_large', pointer });
  }
  if (Buffer.byteLength(JSON.stringify(request)) > 32_000_000)
    found.push({ rule: 'body_too_large', pointer: '' });
  return found;
}
