import { isUtf8 } from 'node:buffer';
import { characterStart } from './unicode/character-class.js';

const encoder = new TextEncoder();
/** A leading BOM is a character like any other to tiktoken. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Well-formed UTF-8 of a text: the given bytes themselves if they are well-formed, else with U+FFFD for
 * what is not.
 */
export function wellFormedBytes(text: string | Uint8Array): Uint8Array {
  if (typeof text === 'string') return encoder.encode(text);
  return isUtf8(text) ? text : encoder.encode(decoder.decode(text));
}

export function decodeRange(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** `at`, or the start of the character that `at` stands inside. */
export function wholeCharactersEnd(bytes: Uint8Array, at: number): number {
  return at >= bytes.length ? bytes.length : characterStart(bytes, at);
}
