/**
 * A text is one thing everywhere: a small string, or a range of UTF-8 bytes in a shared buffer.
 * Ranges travel to threads without a copy; strings that must travel are packed into bytes first.
 */
export type TextRef = string | TextRange;

/** Bytes `start` to `end` of a shared buffer: well-formed UTF-8, never changed after it was made. */
export class TextRange {
  constructor(
    readonly buffer: SharedArrayBuffer,
    readonly start: number,
    readonly end: number,
    /**
     * What the text came as, if that was not well formed: the same bytes, but with three for each lone surrogate where
     * `buffer` has U+FFFD (WTF-8). For whoever writes the text back as it was; everyone else reads the buffer.
     */
    readonly given?: Uint8Array,
  ) {}

  get byteLength(): number {
    return this.end - this.start;
  }

  /** A view, not a copy. */
  bytes(): Uint8Array {
    return new Uint8Array(this.buffer, this.start, this.end - this.start);
  }

  /** The first `lengthBytes` bytes as a range of the same buffer, well formed. */
  prefix(lengthBytes: number): TextRange {
    return new TextRange(this.buffer, this.start, this.start + lengthBytes);
  }
}
