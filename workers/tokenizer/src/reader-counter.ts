import type { Counter, EngineName, IncrementalCount, LimitedCount } from './counter.js';
import type { EncodingName } from './encodings.js';
import { ReaderIncrementalCount } from './incremental-count.js';
import type { OpenTokenReader } from './token-reader.js';
import { decodeRange, wellFormedBytes, wholeCharactersEnd } from './utf8.js';

/** A counter over anything that can take tokens from the front of bytes. */
export class ReaderCounter implements Counter {
  constructor(
    readonly encoding: EncodingName,
    readonly engine: EngineName,
    private readonly reader: OpenTokenReader,
  ) {}

  count(text: string | Uint8Array): number {
    return this.countAtMost(text, Number.POSITIVE_INFINITY);
  }

  startCount(): IncrementalCount {
    return new ReaderIncrementalCount(this.reader);
  }

  countUpTo(text: string | Uint8Array, limitTokens: number): LimitedCount {
    const tokens = this.countAtMost(text, Math.max(0, limitTokens) + 1);
    return { tokens, exceeded: tokens > limitTokens };
  }

  cut(text: string, maxTokens: number): string;
  cut(text: Uint8Array, maxTokens: number): Uint8Array;
  cut(text: string | Uint8Array, maxTokens: number): string | Uint8Array {
    const bytes = wellFormedBytes(text);
    const end = this.cutBytes(bytes, maxTokens);
    if (end === bytes.length) return text;
    return typeof text === 'string' ? decodeRange(bytes, 0, end) : bytes.subarray(0, end);
  }

  cutBytes(text: Uint8Array, maxTokens: number): number {
    if (maxTokens <= 0) return 0;
    return wholeCharactersEnd(text, this.reader.take(text, 0, text.length, maxTokens).end);
  }

  private countAtMost(text: string | Uint8Array, maxTokens: number): number {
    if (typeof text === 'string' && this.reader.countString !== undefined)
      return this.reader.countString(text, maxTokens);
    const bytes = wellFormedBytes(text);
    return this.reader.take(bytes, 0, bytes.length, maxTokens).tokens;
  }
}
