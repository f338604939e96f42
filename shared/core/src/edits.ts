import type { Json } from './json.js';

/**
 * A change of the input list, at most one per message, ordered by input index: what a caller applies to its own
 * copy. A conversation that fits has none.
 */
export type Edit =
  | { readonly op: 'drop'; readonly index: number }
  | { readonly op: 'replace_content'; readonly index: number; readonly content: Json };
