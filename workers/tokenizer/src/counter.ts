import type { EncodingName } from './encodings.js';

/**
 * What does the counting: the WASM kernel, or npm tiktoken itself (for audits). Engines never differ in a count,
 * only in speed.
 */
export type EngineName = 'kernel' | 'tiktoken';

export interface LimitedCount {
  /** The count, if it does not exceed the limit; else a number above the limit that the count at least has. */
  readonly tokens: number;
  readonly exceeded: boolean;
}

/** A count of text that arrives in chunks, as if they were one text. */
export interface IncrementalCount {
  /** Takes the next chunk; it may be cut anywhere, inside a character too. */
  push(chunk: string | Uint8Array): void;
  /** The number of tokens of all that was pushed. Nothing may be pushed any more. */
  finish(): number;
}

/**
 * Counts and cuts texts exactly as tiktoken's ordinary encoding would, in time linear in the text, whatever
 * it holds.
 *
 * A text is a string or UTF-8 bytes. Lone surrogates count as U+FFFD, bytes that are not well-formed as their
 * WHATWG decoding (malformed sequences become U+FFFD). A leading BOM counts and stays. Text that spells a
 * special token is ordinary text. Everything here is synchronous and heavy: call it in a thread, not in an
 * event loop.
 */
export interface Counter {
  readonly encoding: EncodingName;
  readonly engine: EngineName;

  /** The number of tokens. */
  count(text: string | Uint8Array): number;

  /** Begins to count a text that is not whole yet. Holds little of it, except for an unbroken piece. */
  startCount(): IncrementalCount;

  /**
   * The number of tokens, but stops soon after it exceeds `limitTokens`, so that it costs little more than so
   * many tokens do. Only one unbroken piece (a run of letters, of spaces) is read to its end, since that may
   * change its first token.
   */
  countUpTo(text: string | Uint8Array, limitTokens: number): LimitedCount;

  /**
   * The prefix that the first `maxTokens` tokens spell; a character split by the cut is dropped whole. A text
   * of at most `maxTokens` tokens is returned itself; what is cut is well-formed, with U+FFFD for what was
   * not. The prefix may recount to more or fewer than `maxTokens` tokens.
   */
  cut(text: string, maxTokens: number): string;
  cut(text: Uint8Array, maxTokens: number): Uint8Array;

  /**
   * The bytes that `cut` would keep. The bytes must be well-formed UTF-8 (a range made by `parseBody` is).
   */
  cutBytes(text: Uint8Array, maxTokens: number): number;
}
