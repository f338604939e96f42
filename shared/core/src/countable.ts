import type { TextRef } from './text.js';

/**
 * Something whose tokens are counted: the bytes of its pieces, one after the other.
 * Pieces are joined only where they are hashed or counted, in a thread.
 */
export type Countable = readonly Piece[];

export type Piece = TextRef | WrittenText;

/**
 * A text that is counted as it is written down, not as it is:
 * - `json`: inside a JSON string with ASCII-only escaping (specification of attachments, langroid-overflow §7);
 * - `base64`: as canonical base64, with padding and without white space.
 */
export interface WrittenText {
  readonly text: TextRef;
  readonly as: 'json' | 'base64';
}
