import { isObject, type JsonObject } from '@preflight/core';
import { type Entry, idOf, type Part, partsOfContent, textPart } from './entry.js';

const ROLES: Readonly<Record<string, string>> = { developer: 'system', function: 'tool' };

/** The legacy call has no id: the one message that follows answers it. No id that a client gives begins with this. */
const LEGACY_ID = '\0function';

/** A message of Chat Completions (formats.md §1, §2). */
export function readChatEntry(message: JsonObject): Entry {
  const role = idOf(message.role);
  const content = partsOfContent(message.content, ['content'], readPart);
  const isTool = role === 'tool' || role === 'function';
  if (isTool) {
    const id = role === 'tool' ? idOf(message.tool_call_id) : LEGACY_ID;
    return { role: 'tool', parts: [{ kind: 'result', path: [], id }, ...content] };
  }
  return { role: ROLES[role] ?? role, parts: [...content, ...callsOf(message)] };
}

function callsOf({ tool_calls, function_call }: JsonObject): Part[] {
  const calls = Array.isArray(tool_calls) ? tool_calls : [];
  return [
    ...calls.map(
      (call, index): Part => ({
        kind: 'call',
        path: ['tool_calls', index],
        id: isObject(call) ? idOf(call.id) : '',
      }),
    ),
    ...(isObject(function_call) ? [{ kind: 'call', path: ['function_call'], id: LEGACY_ID } as const] : []),
  ];
}

const MEDIA = new Set<unknown>(['image_url', 'file', 'input_audio']);

function readPart(part: JsonObject, path: Part['path']): Part {
  if (part.type === 'text' || part.type === 'refusal') return textPart(part[part.type], path);
  return { kind: MEDIA.has(part.type) ? 'media' : 'other', path };
}
