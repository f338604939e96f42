import { isUtf8 } from 'node:buffer';
import { TextRange } from '@preflight/core';
import type { WorkOptions } from './work.js';

/** Counting and cutting over threads, for callers that hold one text at a time. */
export interface AsyncCounter {
  /** The number of tokens. Bytes that are not well-formed UTF-8 count as U+FFFD. */
  count(text: string | Uint8Array, options?: WorkOptions): Promise<number>;
  /**
   * The prefix that the first `maxTokens` tokens spell, in the type given. A text of at most `maxTokens` tokens is
   * returned itself; what is cut is well-formed, with U+FFFD for what was not.
   */
  cut<Text extends string | Uint8Array>(text: Text, maxTokens: number, options?: WorkOptions): Promise<Text>;
}

/** What counting and cutting one text needs of the pool. */
export interface OneTextWork {
  count(text: TextRange, options: WorkOptions): Promise<number>;
  /** How many bytes to keep. */
  cutBytes(text: TextRange, maxTokens: number, options: WorkOptions): Promise<number>;
}

/** A counter that has texts counted and cut by `work`: a copy of each into shared memory, and bytes to keep back. */
export function asyncCounter(work: OneTextWork): AsyncCounter {
  return {
    count: async (text, options = {}) => work.count(toRange(toBytes(text)), options),
    cut: async (text, maxTokens, options = {}) => {
      const bytes = toBytes(text);
      const keepBytes = await work.cutBytes(toRange(bytes), maxTokens, options);
      if (keepBytes === bytes.length) return text;
      const kept = bytes.subarray(0, keepBytes);
      return (typeof text === 'string' ? decoder.decode(kept) : kept) as typeof text;
    },
  };
}

const encoder = new TextEncoder();
/** A leading BOM is a character like any other. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Well-formed UTF-8, which is what ranges hold. */
function toBytes(text: string | Uint8Array): Uint8Array {
  if (typeof text === 'string') return encoder.encode(text);
  return isUtf8(text) ? text : encoder.encode(decoder.decode(text));
}

/** One copy into shared memory, so that every thread can read it. */
function toRange(bytes: Uint8Array): TextRange {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return new TextRange(shared, 0, bytes.length);
}
