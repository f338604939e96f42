import type { Json, JsonObject } from './json.js';

/**
 * A change of a request: what a caller applies to its own copy. A conversation that fits has none.
 *
 * - `drop`, `replace_content`: a message of the input list, at most one of them a message;
 * - `insert`: a message more, in the request's own format, in front of message `before` of the input list, or behind
 *   all if `before` is their number;
 * - `set`: a field outside the list, by its JSON pointer; objects on the way are made where there are none.
 *
 * They are ordered by input index, an `insert` in front of the change of the message it stands before, and `set` last.
 */
export type Edit =
  | { readonly op: 'drop'; readonly index: number }
  | { readonly op: 'replace_content'; readonly index: number; readonly content: Json }
  | { readonly op: 'insert'; readonly before: number; readonly message: JsonObject }
  | { readonly op: 'set'; readonly pointer: string; readonly value: Json };
