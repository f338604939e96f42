/**
 * The alphabet in which byte-level vocabularies are written: a character for every byte, itself where it can be
 * printed, else one of those from U+0100 on (GPT-2's `bytes_to_unicode`).
 */
const BYTE_OF: ReadonlyMap<string, number> = alphabet();

/** The bytes that a token spells, one character each; undefined if it has other characters. */
export function bytesOfToken(token: string): string | undefined {
  let bytes = '';
  for (const character of token) {
    const byte = BYTE_OF.get(character);
    if (byte === undefined) return undefined;
    bytes += String.fromCharCode(byte);
  }
  return bytes;
}

function alphabet(): Map<string, number> {
  const bytes = new Map<string, number>();
  let next = 0x100;
  for (let byte = 0; byte < 0x100; byte++) {
    const isPrinted = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    bytes.set(String.fromCodePoint(isPrinted ? byte : next++), byte);
  }
  return bytes;
}
