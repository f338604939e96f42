/** The bytes that JSON's grammar knows by name. */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const LOWER_U = 0x75;

/** Bytes below this are control characters, which JSON forbids inside strings. */
export const FIRST_PRINTABLE = 0x20;

/** Space, tab, line feed, carriage return: all that JSON calls white space. */
export function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The value of a byte as a hexadecimal digit, or -1. */
export const HEX_DIGITS = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit += 1) {
  const letter = digit.toString(16);
  HEX_DIGITS[letter.charCodeAt(0)] = digit;
  HEX_DIGITS[letter.toUpperCase().charCodeAt(0)] = digit;
}
