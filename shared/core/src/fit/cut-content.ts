import type { Steps } from '../steps.js';
import { TextRange, type TextRef } from '../text.js';
import type { Cut } from './step.js';

/** What a cut puts behind the kept text (`MARK`, langroid-overflow §1). Count it in the request's encoding. */
export const MARK = '\n... [Contents truncated!]';

/** What is kept of a range is a string up to here, and else a range: long texts never become strings. */
const STRING_BYTES = 16 * 1024;
/** Bytes that are copied in one step, less than a millisecond. */
const STEP_BYTES = 1024 * 1024;

/**
 * What remains of a message's texts: those before the cut, and the cut one with the marker behind it. They come
 * back well formed, a lone surrogate being what it was counted as, U+FFFD (langroid-overflow §10.9).
 */
export function* cutContent(texts: readonly TextRef[], cut: Cut): Steps<TextRef[]> {
  const cutText = texts[cut.textIndex];
  if (cutText === undefined) throw new RangeError(`message ${cut.index} has no text ${cut.textIndex}`);
  const kept: TextRef[] = [];
  for (let i = 0; i < cut.textIndex; i++) {
    if (i % 64 === 63) yield;
    kept.push(wellFormed(texts[i] as TextRef));
  }
  kept.push(yield* marked(cutText, cut.keepBytes));
  return kept;
}

function* marked(text: TextRef, keepBytes: number): Steps<TextRef> {
  if (!(text instanceof TextRange)) return prefixOf(text, keepBytes) + MARK;
  const kept = text.prefix(keepBytes).bytes();
  if (keepBytes <= STRING_BYTES) return decoder.decode(kept) + MARK;
  const bytes = new Uint8Array(new SharedArrayBuffer(keepBytes + mark.length));
  for (let start = 0; start < keepBytes; start += STEP_BYTES) {
    bytes.set(kept.subarray(start, start + STEP_BYTES), start);
    yield;
  }
  bytes.set(mark, keepBytes);
  return new TextRange(bytes.buffer, 0, bytes.length);
}

function prefixOf(text: string, keepBytes: number): string {
  // Encodes no more than what is kept, and by itself stops between two code points.
  const { read } = encoder.encodeInto(text, new Uint8Array(keepBytes));
  return text.slice(0, read).toWellFormed();
}

function wellFormed(text: TextRef): TextRef {
  if (typeof text === 'string') return text.toWellFormed();
  return text.given === undefined ? text : text.prefix(text.byteLength);
}

const encoder = new TextEncoder();
const mark = encoder.encode(MARK);
// A byte-order mark at the start is text like any other (langroid-overflow §2).
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
