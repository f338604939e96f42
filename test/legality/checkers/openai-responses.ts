import { checkAnyResults, type Paired } from './pairing.js';
import { isNothing, type Plain, placed } from './plain.js';
import { checkStrings } from './strings.js';
import type { Check, Violation } from './violation.js';

const ROLES = new Set(['system', 'developer', 'user', 'assistant']);
const MEDIA = new Set(['input_image', 'input_file']);
const MAY_HOLD_MEDIA = new Set(['user', 'system', 'developer']);

/** OpenAI Responses: items (formats.md §1, §2, §3, §5). */
export const checkOpenaiResponses: Check = (request) => {
  if (typeof request.input === 'string') return checkStrings(request);
  const items = placed(request.input, '/input');
  const areCallsElsewhere = request.previous_response_id != null || request.conversation != null;
  return [
    ...checkStrings(request),
    ...(items.length === 0 ? [{ rule: 'no_messages', pointer: '/input' } as const] : []),
    ...items.flatMap(({ value, pointer }) => (isMessage(value) ? checkMessage(value, pointer) : [])),
    ...items.flatMap(({ value, pointer }): Violation[] =>
      isOutput(value) && isNothing(value.output)
        ? [{ rule: 'empty_content', pointer: `${pointer}/output` }]
        : [],
    ),
    ...checkAnyResults(
      items.map(({ value, pointer }) => pairsOf(value, pointer)),
      areCallsElsewhere,
    ),
    ...items.flatMap(({ value, pointer }, index): Violation[] =>
      value.type === 'reasoning' && !mayFollowReasoning(items[index + 1]?.value)
        ? [{ rule: 'reasoning_alone', pointer }]
        : [],
    ),
    ...checkLimits(request, items),
  ];
};

/** A message may leave its type out. */
function isMessage(item: Plain): boolean {
  return item.type === 'message' || (item.type === undefined && item.role !== undefined);
}

function checkMessage(message: Plain, pointer: string): Violation[] {
  const { role, content } = message;
  const found: Violation[] = [];
  if (!ROLES.has(role as string)) found.push({ rule: 'unknown_role', pointer: `${pointer}/role` });
  if (isNothing(content)) found.push({ rule: 'empty_content', pointer: `${pointer}/content` });
  for (const part of placed(content, `${pointer}/content`))
    if (MEDIA.has(part.value.type as string) && !MAY_HOLD_MEDIA.has(role as string))
      found.push({ rule: 'misplaced_media', pointer: part.pointer });
  return found;
}

function isOutput({ type }: Plain): boolean {
  return type === 'function_call_output' || type === 'custom_tool_call_output';
}

function pairsOf(item: Plain, pointer: string): Paired {
  const { type, call_id } = item;
  const named = [{ id: String(call_id), pointer }];
  const isCall = type === 'function_call' || type === 'custom_tool_call';
  const isResultOnly = isOutput(item);
  return { calls: isCall ? named : [], results: isResultOnly ? named : [], isResultOnly };
}

/** Reasoning belongs to what the model did next: a message or a call of its own, or more reasoning. */
function mayFollowReasoning(item: Plain | undefined): boolean {
  if (item === undefined) return false;
  if (isMessage(item)) return item.role === 'assistant';
  return item.type === 'reasoning' || String(item.type).endsWith('_call');
}

function checkLimits(request: Plain, items: readonly { value: Plain }[]): Violation[] {
  const images = items.flatMap(({ value }) => [...placed(value.content, ''), ...placed(value.output, '')]);
  const found: Violation[] = [];
  if (images.filter(({ value }) => value.type === 'input_image').length > 1_500)
    found.push({ rule: 'too_many_media', pointer: '/input' });
  if (Buffer.byteLength(JSON.stringify(request)) > 512_000_000)
    found.push({ rule: 'body_too_large', pointer: '' });
  return found;
}
