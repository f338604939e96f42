import { TextRange } from '@preflight/core';

/** Where base64 begins in a data URI, looked for in its first bytes. */
const BASE64_MARK = ';base64,';
const MARK_WITHIN_BYTES = 256;

/** What of a text is the file itself: what stands behind `;base64,` in a data URI, else all of it. Reads 256 bytes. */
export function payloadOf(range: TextRange): TextRange {
  const { buffer, start, end } = range;
  return new TextRange(buffer, start + payloadStart(range.bytes()), end);
}

/** Offset behind `;base64,` of a data URI; 0 for text that is no data URI. */
function payloadStart(bytes: Uint8Array): number {
  const beginning = Buffer.from(bytes.subarray(0, MARK_WITHIN_BYTES)).toString('latin1');
  const mark = beginning.startsWith('data:') ? beginning.indexOf(BASE64_MARK) : -1;
  return mark < 0 ? 0 : mark + BASE64_MARK.length;
}
