import { isUtf8 } from 'node:buffer';
import type { ByteSource } from './byte-source.js';
import { damaged } from './unreadable.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The text of a file that is nothing else, as UTF-8; what is not becomes U+FFFD. Throws `damaged` for what is no text. */
export function textIn(source: ByteSource): Uint8Array {
  const bytes = source.bytes(0, source.byteLength);
  if (bytes.includes(0)) throw damaged();
  return isUtf8(bytes) ? bytes : encoder.encode(decoder.decode(bytes));
}
