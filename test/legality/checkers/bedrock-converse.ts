import { checkNextMessageResults, type Paired } from './pairing.js';
import { isBlank, isPlain, type Plain, placed } from './plain.js';
import { checkStrings } from './strings.js';
import type { Check, Violation } from './violation.js';

type Placed = { value: Plain; pointer: string };

const MEDIA = ['image', 'document', 'video', 'audio'];

/** Bedrock Converse (formats.md §1, §2, §3, §5). */
export const checkBedrockConverse: Check = (request) => {
  const messages = placed(request.messages, '/messages');
  const first = messages[0];
  return [
    ...checkStrings(request),
    ...(first === undefined ? [{ rule: 'no_messages', pointer: '/messages' } as const] : []),
    ...(first !== undefined && first.value.role !== 'user'
      ? [{ rule: 'starts_with_user', pointer: first.pointer } as const]
      : []),
    ...messages.flatMap(({ value, pointer }) => checkMessage(value, pointer)),
    ...checkNextMessageResults(messages.map(pairsOf)),
    ...messages.flatMap(({ value, pointer }, index): Violation[] =>
      messages[index - 1]?.value.role === value.role ? [{ rule: 'roles_alternate', pointer }] : [],
    ),
    ...checkLimits(messages),
  ];
};

function checkMessage({ role, content }: Plain, pointer: string): Violation[] {
  const found: Violation[] = [];
  const blocks = placed(content, `${pointer}/content`);
  if (role !== 'user' && role !== 'assistant')
    found.push({ rule: 'unknown_role', pointer: `${pointer}/role` });
  if (blocks.length === 0) found.push({ rule: 'empty_content', pointer: `${pointer}/content` });
  const hasText = blocks.some(({ value }) => typeof value.text === 'string');
  for (const { value, pointer: at } of blocks) {
    if (isBlank(value.text)) found.push({ rule: 'empty_content', pointer: at });
    if (MEDIA.some((kind) => isPlain(value[kind])) && role !== 'user')
      found.push({ rule: 'misplaced_media', pointer: at });
    if (isPlain(value.document) && !hasText) found.push({ rule: 'document_alone', pointer: at });
    if (isOfCaller(value.toolUse) && role !== 'assistant')
      found.push({ rule: 'misplaced_part', pointer: at });
    if (isOfCaller(value.toolResult) && role !== 'user') found.push({ rule: 'misplaced_part', pointer: at });
  }
  return found;
}

/** What the provider's own tools did has a type, and is no pair of the caller's. */
function isOfCaller(block: unknown): block is Plain {
  return isPlain(block) && block.type === undefined;
}

function pairsOf({ value: { role, content }, pointer }: Placed): Paired {
  const named = (field: string) =>
    placed(content, `${pointer}/content`).flatMap(({ value, pointer }) => {
      const block = value[field];
      return isOfCaller(block) ? [{ id: String(block.toolUseId), pointer }] : [];
    });
  return {
    calls: role === 'assistant' ? named('toolUse') : [],
    results: role === 'user' ? named('toolResult') : [],
    isResultOnly: false,
    isUser: role === 'user',
  };
}

function checkLimits(messages: readonly Placed[]): Violation[] {
  const documents = messages
    .flatMap(({ value, pointer }) => placed(value.content, `${pointer}/content`))
    .filter(({ value }) => isPlain(value.document));
  const found: Violation[] = [];
  if (documents.length > 5) found.push({ rule: 'too_many_media', pointer: '/messages' });
  for (const { value, pointer } of documents) {
    const { format, source } = value.document as Plain;
    const data = isPlain(source) ? source.bytes : undefined;
    const isTooLarge = typeof data === 'string' && (data.length / 4) * 3 > 4_500_000;
    if (isTooLarge && format !== 'pdf') found.push({ rule: 'item_too_large', pointer });
  }
  return found;
}
