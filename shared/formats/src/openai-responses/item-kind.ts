import { isAbsent, type JsonObject } from '@preflight/core';

/**
 * What an item of `input` is to us:
 * - `message`: has a role and content; its type may be left out;
 * - `reasoning`: must stand directly before what it led to;
 * - `function`, `output`: a call of one of the caller's tools, and what came of it;
 * - `screenshot`: what came of a call to use a computer; `image`: one that the provider made;
 * - `built_in`: everything else, of the provider's own tools and whatever it adds later. Kept as it is.
 */
export type ItemKind = 'message' | 'reasoning' | 'function' | 'output' | 'screenshot' | 'image' | 'built_in';

const KINDS: ReadonlyMap<unknown, ItemKind> = new Map<string, ItemKind>([
  ['message', 'message'],
  ['reasoning', 'reasoning'],
  ['function_call', 'function'],
  ['custom_tool_call', 'function'],
  ['function_call_output', 'output'],
  ['custom_tool_call_output', 'output'],
  ['computer_call_output', 'screenshot'],
  ['image_generation_call', 'image'],
]);

/** What an item is, by its type; `built_in` what we do not look into. */
export function kindOf({ type, role, id }: JsonObject): ItemKind {
  if (!isAbsent(type)) return KINDS.get(type) ?? 'built_in';
  // A reference may leave its type out as well.
  return isAbsent(role) && !isAbsent(id) ? 'built_in' : 'message';
}

/** The field in which an item has its content. */
export function contentFieldOf(item: JsonObject): string {
  const kind = kindOf(item);
  return kind === 'output' || kind === 'screenshot' ? 'output' : 'content';
}
