/** What was taken from the front of a stretch of text. */
export interface Taken {
  readonly tokens: number;
  /** Where the taken tokens end, as a position in the bytes; may stand inside a character. */
  readonly end: number;
}

/** Reads the tokens of a stretch of well-formed UTF-8 as if it were a text of its own. */
export interface TokenReader {
  /** Takes tokens from `start` on until `maxTokens` are taken or `end` is reached. */
  take(bytes: Uint8Array, start: number, end: number, maxTokens: number): Taken;
}

/** A reader that can begin before a text is whole. */
export interface OpenTokenReader extends TokenReader {
  /** Takes what no text behind these bytes can change. The bytes may end inside a character. */
  takeSettled(bytes: Uint8Array): Taken;

  /** The number of tokens of a string, or `maxTokens` if it has more; for readers that need not have its bytes whole. */
  countString?(text: string, maxTokens: number): number;
}
