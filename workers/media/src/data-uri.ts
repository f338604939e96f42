import { Base64Bytes, type ByteSource, plainBytes } from './byte-source.js';

const SCHEME = 'data:';
/** A media type with all its parameters is shorter. */
const MAX_HEADER_BYTES = 1024;
const COMMA = 0x2c;
const PERCENT = 0x25;

export interface EncodedFile {
  readonly source: ByteSource;
  /** What a data URI says that it is. */
  readonly mimeType: string | undefined;
}

/** A file that is written as a data URI (RFC 2397), or as base64 alone. */
export function decodeFile(text: Uint8Array): EncodedFile {
  if (!isDataUri(text)) return { source: new Base64Bytes(text), mimeType: undefined };
  const comma = text.subarray(0, MAX_HEADER_BYTES).indexOf(COMMA);
  if (comma < 0) return { source: plainBytes(new Uint8Array()), mimeType: undefined };
  const header = Buffer.from(text.subarray(SCHEME.length, comma)).toString('latin1');
  const [mimeType, ...parameters] = header.split(';').map((word) => word.trim().toLowerCase());
  const data = text.subarray(comma + 1);
  const source = parameters.includes('base64')
    ? new Base64Bytes(isEscaped(data) ? percentDecoded(data) : data)
    : plainBytes(percentDecoded(data));
  return { source, mimeType: mimeType || undefined };
}

/** Whether a text begins as a data URI does, in whatever case. */
export function isDataUri(text: Uint8Array): boolean {
  return Buffer.from(text.subarray(0, SCHEME.length)).toString('latin1').toLowerCase() === SCHEME;
}

/** Letters in which base64 that was escaped shows it: a sign in 32 is one that is, and so is padding. */
const FRONT_LETTERS = 1024;
const PADDING_LETTERS = 6;

function isEscaped(base64: Uint8Array): boolean {
  return (
    base64.subarray(0, FRONT_LETTERS).includes(PERCENT) || base64.subarray(-PADDING_LETTERS).includes(PERCENT)
  );
}

function percentDecoded(text: Uint8Array): Uint8Array {
  if (!text.includes(PERCENT)) return text;
  const decoded = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text[at] === PERCENT ? hexByte(text[at + 1], text[at + 2]) : undefined;
    decoded[length++] = code ?? (text[at] as number);
    if (code !== undefined) at += 2;
  }
  return decoded.subarray(0, length);
}

function hexByte(high: number | undefined, low: number | undefined): number | undefined {
  const hex = String.fromCharCode(high ?? 0, low ?? 0);
  return /^[0-9a-f]{2}$/i.test(hex) ? Number.parseInt(hex, 16) : undefined;
}
