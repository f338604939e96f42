import type { Json, JsonObject } from './json.js';
import type { Steps } from './steps.js';
import { TextRange, type TextRef } from './text.js';

/** Values that are measured in one step. */
const STEP_ITEMS = 64;

/**
 * Bytes of a value as compact JSON in UTF-8, which is how clients send it; `see` gets every object on the way. About
 * 300 MB/s, in steps.
 */
export function* jsonBytes(value: Json, see?: (object: JsonObject) => void): Steps<number> {
  let bytes = 0;
  let items = 0;
  const left: Json[] = [value];
  while (left.length > 0) {
    if (++items % STEP_ITEMS === 0) yield;
    const next = left.pop() as Json;
    if (typeof next === 'string') bytes += stringBytes(next);
    else if (next instanceof TextRange) bytes += yield* rangeBytes(next.given ?? next.bytes());
    else if (Array.isArray(next)) {
      bytes += Math.max(2, next.length + 1);
      for (const item of next) left.push(item);
    } else if (typeof next === 'object' && next !== null) {
      see?.(next as JsonObject);
      const members = Object.entries(next);
      bytes += Math.max(2, members.length + 1);
      for (const [name, member] of members) {
        bytes += stringBytes(name) + 1;
        left.push(member);
      }
    } else bytes += String(next).length;
  }
  return bytes;
}

/** The same of a text, without its quotes. */
export function* textJsonBytes(text: TextRef): Steps<number> {
  return (yield* jsonBytes(text)) - QUOTES;
}

/** How many bytes of well-formed UTF-8 can stand in a JSON string of so many bytes, quotes not included; whole characters. */
export function bytesWithinJson(text: Uint8Array, maxBytes: number): number {
  let written = 0;
  let end = 0;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i] as number;
    if ((byte & 0xc0) !== 0x80) end = i;
    written += writtenBytes(byte);
    if (written > maxBytes) return end;
  }
  return text.length;
}

/** The same of its end. */
export function tailBytesWithinJson(text: Uint8Array, maxBytes: number): number {
  let written = 0;
  let start = text.length;
  for (let i = text.length - 1; i >= 0; i--) {
    const byte = text[i] as number;
    written += writtenBytes(byte);
    if (written > maxBytes) break;
    if ((byte & 0xc0) !== 0x80) start = i;
  }
  return text.length - start;
}

/** Bytes of well-formed UTF-8 as a JSON string, quotes not included. */
export function utf8JsonBytes(text: Uint8Array): number {
  let written = 0;
  for (const byte of text) written += writtenBytes(byte);
  return written;
}

const QUOTES = 2;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What control characters take: two with a letter of their own, else six. */
const CONTROL_BYTES = Array.from({ length: 0x20 }, (_, code) =>
  /[\b\t\n\f\r]/.test(String.fromCharCode(code)) ? 2 : 6,
);

/** Of a byte of UTF-8. */
function writtenBytes(byte: number): number {
  if (byte < 0x20) return CONTROL_BYTES[byte] as number;
  return byte === QUOTE || byte === BACKSLASH ? 2 : 1;
}

function stringBytes(text: string): number {
  let bytes = 2;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20) bytes += CONTROL_BYTES[code] as number;
    else if (code === QUOTE || code === BACKSLASH) bytes += 2;
    else if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (code < 0xd800 || code > 0xdfff) bytes += 3;
    else if (isPair(text, i)) {
      bytes += 4;
      i += 1;
    } else bytes += 6;
  }
  return bytes;
}

function isPair(text: string, index: number): boolean {
  const [first, second] = [text.charCodeAt(index), text.charCodeAt(index + 1)];
  return first < 0xdc00 && second >= 0xdc00 && second <= 0xdfff;
}

const STEP_BYTES = 64 * 1024;

function* rangeBytes(text: Uint8Array): Steps<number> {
  let bytes = 2 + text.length;
  for (let start = 0; start < text.length; start += STEP_BYTES) {
    if (start > 0) yield;
    const end = Math.min(text.length, start + STEP_BYTES);
    for (let i = start; i < end; i++) {
      const byte = text[i] as number;
      if (byte < 0x20) bytes += (CONTROL_BYTES[byte] as number) - 1;
      else if (byte === QUOTE || byte === BACKSLASH) bytes += 1;
      // Half of a surrogate pair comes as three bytes that UTF-8 has not, and is sent as an escape of six.
      else if (byte === 0xed && (text[i + 1] as number) >= 0xa0) bytes += 3;
    }
  }
  return bytes;
}
