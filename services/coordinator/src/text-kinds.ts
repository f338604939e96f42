import type { TokenKind } from '@preflight/accounting';
import {
  type Referring,
  TEXT_KINDS,
  type TextKind,
  TextRange,
  type TextRef,
  textKindOf,
} from '@preflight/core';

/*
 * Which kind of text every countable is, as plans hold it. What something is tells it for all that is written as JSON and
 * for files; texts are looked at (`textKindOf`).
 */

/** In place of a kind: taken as it is counted, whatever the estimate. */
export const AS_COUNTED = 0;

/** A kind as a number, which plans hold in columns: never `AS_COUNTED`. */
export function positionOf(kind: TextKind): number {
  return TEXT_KINDS.indexOf(kind) + 1;
}

/** Of a message's own texts, taken together. */
export function kindOfTexts(texts: readonly TextRef[]): number {
  return positionOf(textKindOf(texts.map(bytesOf)));
}

/** Of what stands beside a message's own text. Labels of formatting are part of constants that the provider's own count is told by. */
export function kindOfOverhead(kind: TokenKind, countable: Referring): number {
  if (kind === 'formatting') return AS_COUNTED;
  if (kind === 'tool_calls' || kind === 'tools' || kind === 'schemas') return positionOf('json');
  const [text] = countable;
  const isText = countable.length === 1 && (typeof text === 'string' || text instanceof TextRange);
  return isText ? kindOfTexts([text]) : positionOf('json');
}

/** Short texts are strings, which may be encoded whole. */
function bytesOf(text: TextRef): Uint8Array {
  return typeof text === 'string' ? encoder.encode(text) : text.bytes();
}

const encoder = new TextEncoder();
