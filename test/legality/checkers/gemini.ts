import { either, isPlain, type Plain, placed } from './plain.js';
import { checkStrings } from './strings.js';
import type { Check, Violation } from './violation.js';

interface Content {
  readonly role: unknown;
  readonly pointer: string;
  readonly parts: readonly { value: Plain; pointer: string }[];
  readonly calls: readonly { value: Plain; pointer: string }[];
  readonly responses: readonly { value: Plain; pointer: string }[];
}

/** Gemini generateContent, in camelCase and in snake_case (formats.md §1, §2, §3, §5). */
export const checkGemini: Check = (request, model) => {
  const contents = placed(request.contents, '/contents').map(read);
  return [
    ...checkStrings(request),
    ...(contents.length === 0 ? [{ rule: 'no_messages', pointer: '/contents' } as const] : []),
    ...contents.flatMap(checkContent),
    ...contents.flatMap((content, index) =>
      checkResponses(content, contents[index - 1], contents[index - 2]),
    ),
    ...contents.flatMap((content, index) => checkCalls(content, contents[index - 1], contents[index + 1])),
    ...(/gemini-3/.test(model) ? checkSignatures(contents) : []),
    ...checkLimits(request, contents),
  ];
};

function read({ value, pointer }: { value: Plain; pointer: string }): Content {
  const parts = placed(value.parts, `${pointer}/parts`);
  return {
    role: value.role ?? 'user',
    pointer,
    parts,
    calls: parts.filter((part) => isPlain(either(part.value, 'functionCall'))),
    responses: parts.filter((part) => isPlain(either(part.value, 'functionResponse'))),
  };
}

function checkContent({ role, pointer, parts, calls, responses }: Content): Violation[] {
  const found: Violation[] = [];
  if (role !== 'user' && role !== 'model') found.push({ rule: 'unknown_role', pointer: `${pointer}/role` });
  if (parts.length === 0) found.push({ rule: 'empty_content', pointer: `${pointer}/parts` });
  for (const call of calls)
    if (role !== 'model') found.push({ rule: 'misplaced_part', pointer: call.pointer });
  for (const response of responses)
    if (role !== 'user') found.push({ rule: 'misplaced_part', pointer: response.pointer });
  return found;
}

/** As many responses as the previous model turn has calls, by the same ids or names. */
function checkResponses(
  { role, responses }: Content,
  before: Content | undefined,
  long: Content | undefined,
) {
  if (role !== 'user' || responses.length === 0) return [];
  const open = openCalls(before?.role === 'user' ? long : before);
  if (before?.role === 'user')
    for (const { value } of before.responses) take(open, keyOf(either(value, 'functionResponse')));
  const left = responses.filter(({ value }) => !take(open, keyOf(either(value, 'functionResponse'))));
  return left.map(({ pointer }): Violation => ({ rule: 'result_without_call', pointer }));
}

function openCalls(content: Content | undefined): string[] {
  if (content?.role !== 'model') return [];
  return content.calls.map(({ value }) => keyOf(either(value, 'functionCall')));
}

function take(keys: string[], key: string): boolean {
  const at = keys.indexOf(key);
  if (at !== -1) keys.splice(at, 1);
  return at !== -1;
}

function keyOf(value: unknown): string {
  const { id, name } = value as Plain;
  return `${id ?? ''}/${name}`;
}

function checkCalls({ role, calls }: Content, before: Content | undefined, after: Content | undefined) {
  if (role !== 'model' || calls.length === 0) return [];
  const found: Violation[] = [];
  const pointer = (calls[0] as { pointer: string }).pointer;
  if (before?.role !== 'user') found.push({ rule: 'call_turn_order', pointer });
  const open = calls.map(({ value }) => keyOf(either(value, 'functionCall')));
  for (const { value } of after?.role === 'user' ? after.responses : [])
    take(open, keyOf(either(value, 'functionResponse')));
  if (open.length > 0) found.push({ rule: 'response_count', pointer });
  return found;
}

/** The current turn: what follows the last message of the user that is not a response. */
function checkSignatures(contents: readonly Content[]): Violation[] {
  const asked = contents.findLastIndex(({ role, responses }) => role === 'user' && responses.length === 0);
  return contents.slice(asked + 1).flatMap(({ role, calls }): Violation[] => {
    const first = calls[0];
    if (role !== 'model' || first === undefined || either(first.value, 'thoughtSignature')) return [];
    return [{ rule: 'missing_signature', pointer: first.pointer }];
  });
}

function checkLimits(request: Plain, contents: readonly Content[]): Violation[] {
  const found: Violation[] = [];
  const images = contents.flatMap(({ parts }) =>
    parts.filter(({ value }) => {
      const data = either(value, 'inlineData') ?? either(value, 'fileData');
      return isPlain(data) && String(either(data, 'mimeType')).startsWith('image/');
    }),
  );
  if (images.length > 3_600) found.push({ rule: 'too_many_media', pointer: '/contents' });
  if (Buffer.byteLength(JSON.stringify(request)) > 100_000_000)
    found.push({ rule: 'body_too_large', pointer: '' });
  return found;
}
