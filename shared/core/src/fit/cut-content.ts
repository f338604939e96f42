import type { Steps } from '../steps.js';
import { TextRange, type TextRef } from '../text.js';
import { elisionNote } from './elision-note.js';
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
  if (cut.elidedTokens !== undefined) return [elisionNote(cut.elidedTokens)];
  const cutText = texts[cut.textIndex];
  if (cutText === undefined) throw new RangeError(`message ${cut.index} has no text ${cut.textIndex}`);
  const kept: TextRef[] = [];
  for (let i = 0; i < cut.textIndex; i++) {
    if (i % 64 === 63) yield;
    kept.push(wellFormed(texts[i] as TextRef));
  }
  kept.push(yield* marked(cutText, cut));
  return kept;
}

function* marked(text: TextRef, { keepBytes, tailBytes = 0 }: Cut): Steps<TextRef> {
  const mark = markBetween(keepBytes, tailBytes);
  if (!(text instanceof TextRange)) return prefixOf(text, keepBytes) + mark + suffixOf(text, tailBytes);
  const head = text.prefix(keepBytes).bytes();
  const tail = text.bytes().subarray(text.byteLength - tailBytes);
  if (keepBytes + tailBytes <= STRING_BYTES) return decoder.decode(head) + mark + decoder.decode(tail);
  const pieces = [head, encoder.encode(mark), tail];
  const bytes = new Uint8Array(new SharedArrayBuffer(pieces.reduce((sum, piece) => sum + piece.length, 0)));
  let end = 0;
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += STEP_BYTES) {
      const step = piece.subarray(start, start + STEP_BYTES);
      bytes.set(step, end);
      end += step.length;
      yield;
    }
  }
  return new TextRange(bytes.buffer, 0, bytes.length);
}

/** The marker on a line of its own, between what is kept of a text. */
export function markBetween(keepBytes: number, tailBytes: number): string {
  const mark = keepBytes === 0 && tailBytes > 0 ? MARK.trimStart() : MARK;
  return tailBytes > 0 ? `${mark}\n` : mark;
}

function prefixOf(text: string, keepBytes: number): string {
  // Encodes no more than what is kept, and by itself stops between two code points.
  const { read } = encoder.encodeInto(text, new Uint8Array(keepBytes));
  return text.slice(0, read).toWellFormed();
}

function suffixOf(text: string, tailBytes: number): string {
  if (tailBytes === 0) return '';
  // No code unit has more than three bytes, nor less than one.
  const bytes = encoder.encode(text.slice(-tailBytes));
  return decoder.decode(bytes.subarray(bytes.length - tailBytes));
}

function wellFormed(text: TextRef): TextRef {
  if (typeof text === 'string') return text.toWellFormed();
  return text.given === undefined ? text : text.prefix(text.byteLength);
}

const encoder = new TextEncoder();
// A byte-order mark at the start is text like any other (langroid-overflow §2).
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
