import type { Tiktoken } from 'tiktoken/lite';
import type { PatternFamily } from '../encodings.js';
import { findSafeSplit, nextSafeSplit } from '../safe-split.js';
import { step } from '../steps.js';
import type { OpenTokenReader, Taken, TokenReader } from '../token-reader.js';
import { characterStart } from '../unicode/character-class.js';
import { decodeRange } from '../utf8.js';

export interface GuardLimits {
  /**
   * Stretches longer than this between two safe splits go to the linear reader. tiktoken is quadratic in a
   * piece: pieces of 256 bytes cost 0.4 s a megabyte, of 1 KiB 1.1 s, of 4 KiB 13 s.
   */
  readonly longStretchBytes: number;
  /** What tiktoken gets in one call: enough to hide the call, little enough to stop early. */
  readonly groupBytes: number;
}

const LIMITS: GuardLimits = { longStretchBytes: 256, groupBytes: 16 * 1024 };

/**
 * tiktoken, kept linear: a text is walked from safe split to safe split (where counts add up exactly); short
 * stretches go to tiktoken in groups, long ones to a reader of our own.
 */
export class GuardedReader implements OpenTokenReader {
  constructor(
    private readonly encoder: Tiktoken,
    private readonly family: PatternFamily,
    private readonly linear: () => TokenReader,
    private readonly limits = LIMITS,
  ) {}

  take(bytes: Uint8Array, start: number, end: number, maxTokens: number): Taken {
    const text = bytes.subarray(0, end);
    let tokens = 0;
    let at = start;
    while (at < end && tokens < maxTokens) {
      const groupEnd = this.groupEnd(text, at);
      const taken =
        groupEnd > at
          ? this.takeGroup(text, at, groupEnd, maxTokens - tokens)
          : this.linear().take(text, at, nextSafeSplit(text, this.family, at), maxTokens - tokens);
      tokens += taken.tokens;
      at = taken.end;
      step();
    }
    return { tokens, end: at };
  }

  takeSettled(bytes: Uint8Array): Taken {
    // Behind the last character but one, both neighbours of a split are whole.
    const last = characterStart(bytes, bytes.length - 1);
    const end = findSafeSplit(bytes, this.family, characterStart(bytes, last - 1)) ?? 0;
    return this.take(bytes, 0, end, Number.POSITIVE_INFINITY);
  }

  /**
   * Where a group of short stretches ends that starts at `start`; `start` itself if a long stretch stands
   * there.
   */
  private groupEnd(text: Uint8Array, start: number): number {
    const { longStretchBytes, groupBytes } = this.limits;
    let end = start;
    while (end < text.length && end - start < groupBytes) {
      const next = nextSafeSplit(text, this.family, end);
      if (next - end > longStretchBytes) break;
      end = next;
    }
    return end;
  }

  private takeGroup(text: Uint8Array, start: number, end: number, maxTokens: number): Taken {
    const ids = this.encoder.encode_ordinary(decodeRange(text, start, end));
    if (ids.length <= maxTokens) return { tokens: ids.length, end };
    return { tokens: maxTokens, end: start + this.encoder.decode(ids.subarray(0, maxTokens)).length };
  }
}
