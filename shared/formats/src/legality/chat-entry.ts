import { isAbsent, isObject, type JsonObject, type Steps } from '@preflight/core';
import { bytesOf, type Entry, idOf, type Part, partsOfContent, textPart } from './entry.js';

const ROLES: Readonly<Record<string, string>> = { developer: 'system', function: 'tool' };

/** The legacy call has no id: the one message that follows answers it. No id that a client gives begins with this. */
const LEGACY_ID = '\0function';

/** A message of Chat Completions (formats.md §1, §2). What else an assistant has done may stand in the place of content. */
export function* readChatEntry(message: JsonObject): Steps<Entry> {
  const role = idOf(message.role);
  const content = yield* partsOfContent(message.content, ['content'], readPart);
  const said = isAbsent(message.content) ? [] : content;
  if (role === 'function')
    return { role: 'tool', parts: [{ kind: 'result', path: [], id: LEGACY_ID }, ...said] };
  if (role === 'tool')
    return { role, parts: [{ kind: 'result', path: [], id: idOf(message.tool_call_id) }, ...content] };
  const done = [...besideContent(message), ...(yield* callsOf(message))];
  return { role: ROLES[role] ?? role, parts: [...(done.length === 0 ? content : said), ...done] };
}

function besideContent(message: JsonObject): Part[] {
  return ['refusal', 'audio']
    .filter((name) => !isAbsent(message[name]))
    .map((name) => ({ kind: 'other', path: [name] }));
}

function* callsOf({ tool_calls, function_call }: JsonObject): Steps<Part[]> {
  const hasCalls = Array.isArray(tool_calls) && tool_calls.length > 0;
  const calls = hasCalls
    ? yield* partsOfContent(tool_calls, ['tool_calls'], ({ id }, path) => ({
        kind: 'call',
        path,
        id: idOf(id),
      }))
    : [];
  if (isObject(function_call)) calls.push({ kind: 'call', path: ['function_call'], id: LEGACY_ID });
  return calls;
}

function readPart(part: JsonObject, path: Part['path']): Part {
  if (part.type === 'text' || part.type === 'refusal') return textPart(part[part.type], path);
  if (part.type === 'image_url') return { kind: isObject(part.image_url) ? 'media' : 'malformed', path };
  const { file } = part;
  if (part.type === 'file')
    return { kind: 'document', path, bytes: isObject(file) ? bytesOf(file.file_data) : 0 };
  return { kind: part.type === 'input_audio' ? 'document' : 'other', path };
}
