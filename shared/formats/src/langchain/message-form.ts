import { isObject, type JsonObject } from '@preflight/core';

/** How a message is written, and where its fields stand in it. */
export interface MessageForm {
  /** What the message says it is, in the word of its form: `human`, `HumanMessage`, `user`. */
  readonly word: string | undefined;
  /** The field with that word. */
  readonly wordField: string;
  readonly fields: JsonObject;
  /** The names that lead to the fields: none where they stand in the message itself. */
  readonly path: readonly string[];
}

/**
 * The three forms of a LangChain message (formats.md §1): as it is stored (`type`, `data`), as its constructor is
 * serialized (`lc`, `id`, `kwargs`), and plain.
 */
export function formOf(message: JsonObject): MessageForm {
  const { data, kwargs, id } = message;
  if (isObject(kwargs) && Array.isArray(id))
    return { word: shortText(id.at(-1)), wordField: 'id', fields: kwargs, path: ['kwargs'] };
  if (isObject(data) && message.role === undefined)
    return { word: shortText(message.type), wordField: 'type', fields: data, path: ['data'] };
  const wordField = message.role === undefined && message.type !== undefined ? 'type' : 'role';
  return { word: shortText(message[wordField]), wordField, fields: message, path: [] };
}

/** The place of the fields in the message, as the start of JSON pointers. */
export function placeOf({ path }: MessageForm): string {
  return path.map((name) => `/${name}`).join('');
}

/** Words of stored types, of classes (also of chunks of streams) and of roles. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['HumanMessage', 'user'],
  ['ai', 'assistant'],
  ['AIMessage', 'assistant'],
  ['SystemMessage', 'system'],
  ['ToolMessage', 'tool'],
  ['FunctionMessage', 'function'],
]);

/** The neutral role of a message; that of a chat message, and what we do not know, is what it says itself. */
export function roleOf({ word, fields }: MessageForm): string | undefined {
  const name = word?.replace(/(Message)?Chunk$/, (_, message) => message ?? '');
  if (name === 'chat' || name === 'ChatMessage') return shortText(fields.role);
  return name && (ROLES.get(name) ?? name);
}

function shortText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A system message in the form of another. */
export function systemMessage(content: string, like: JsonObject = {}): JsonObject {
  const { path, wordField } = formOf(like);
  if (path[0] === 'kwargs') {
    const id = ['langchain_core', 'messages', 'SystemMessage'];
    return { lc: 1, type: 'constructor', id, kwargs: { content } };
  }
  if (path[0] === 'data') return { type: 'system', data: { content } };
  return { [wordField]: 'system', content };
}
