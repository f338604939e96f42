import { TextRange } from '@preflight/core';

/** Where base64 begins in a data URI, looked for in its first bytes. */
const BASE64_MARK = ';base64,';
const MARK_WITHIN_BYTES = 256;

/** What of a text is the file itself: what stands behind `;base64,` in a data URI, else all of it. Reads 256 bytes. */
export function payloadOf(range: TextRange): TextRange {
  const { buffer, start, end } = range;
  return new TextRange(buffer, start + payloadStart(range.bytes()), end);
}

const SAMPLE_BYTES = 64;

/** Whether nothing but letters of base64 stands at the start of a long payload. */
export function beginsWithBase64(payload: TextRange): boolean {
  return payload.bytes().subarray(0, SAMPLE_BYTES).every(isBase64Letter);
}

/** Letters, digits, `+` and `/`; no padding. */
export function isBase64Letter(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x2f && byte <= 0x39) ||
    byte === 0x2b
  );
}

/** Offset behind `;base64,` of a data URI; 0 for text that is no data URI. */
function payloadStart(bytes: Uint8Array): number {
  const beginning = Buffer.from(bytes.subarray(0, MARK_WITHIN_BYTES)).toString('latin1');
  const mark = beginning.startsWith('data:') ? beginning.indexOf(BASE64_MARK) : -1;
  return mark < 0 ? 0 : mark + BASE64_MARK.length;
}
