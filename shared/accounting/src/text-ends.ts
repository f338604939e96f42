import type { TextRef } from '@preflight/core';

/**
 * Looks at the ends of a text without reading all of it. For ASCII only: a character of a string and a byte of a
 * range are then the same.
 */
export function startsWithAscii(text: TextRef, prefix: string): boolean {
  if (typeof text === 'string') return text.startsWith(prefix);
  if (text.byteLength < prefix.length) return false;
  const head = text.prefix(prefix.length).bytes();
  return head.every((byte, index) => byte === prefix.charCodeAt(index));
}

/** The first `lengthBytes` bytes; what is not ASCII comes as some other character. */
export function asciiStart(text: TextRef, lengthBytes: number): string {
  if (typeof text === 'string') return text.slice(0, lengthBytes);
  return latin1.decode(text.prefix(Math.min(lengthBytes, text.byteLength)).bytes().slice());
}

const latin1 = new TextDecoder('latin1');

/** The text without `suffix`, one ASCII character, at its end. */
export function withoutLastAscii(text: TextRef, suffix: string): TextRef {
  if (typeof text === 'string') return text.endsWith(suffix) ? text.slice(0, -1) : text;
  return text.bytes().at(-1) === suffix.charCodeAt(0) ? text.prefix(text.byteLength - 1) : text;
}

/** Whether there is not a character in it. */
export function isEmptyText(text: TextRef | undefined): boolean {
  return text === undefined || (typeof text === 'string' ? text === '' : text.byteLength === 0);
}
