import { TextRange, type TextRef } from '../text.js';
import type { Cut } from './step.js';

/** What a cut puts behind the kept text (`MARK`, langroid-overflow §1). Count it in the request's encoding. */
export const MARK = '\n... [Contents truncated!]';

/**
 * What remains of a message's texts: those before the cut, and the cut one with the marker behind it. They come
 * back well formed, a lone surrogate being what it was counted as, U+FFFD (langroid-overflow §10.9).
 */
export function cutContent(texts: readonly TextRef[], cut: Cut): TextRef[] {
  const cutText = texts[cut.textIndex];
  if (cutText === undefined) throw new RangeError(`message ${cut.index} has no text ${cut.textIndex}`);
  const whole = texts.slice(0, cut.textIndex).map(wellFormed);
  return [...whole, prefixOf(cutText, cut.keepBytes) + MARK];
}

function prefixOf(text: TextRef, keepBytes: number): string {
  if (text instanceof TextRange) return decoder.decode(text.prefix(keepBytes).bytes());
  // Encodes no more than what is kept, and by itself stops between two code points.
  const { read } = encoder.encodeInto(text, new Uint8Array(keepBytes));
  return text.slice(0, read).toWellFormed();
}

function wellFormed(text: TextRef): TextRef {
  if (typeof text === 'string') return text.toWellFormed();
  return text.given === undefined ? text : text.prefix(text.byteLength);
}

const encoder = new TextEncoder();
// A byte-order mark at the start is text like any other (langroid-overflow §2).
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
