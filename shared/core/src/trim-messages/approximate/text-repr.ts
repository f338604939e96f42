/**
 * How many characters Python's `repr` of a text has: quotes around it, `\\`, `\n`, `\r` and `\t` as two characters,
 * and what cannot be printed as `\xhh`, `\uhhhh` or `\Uhhhhhhhh`. The quotes are double ones if there are single ones in
 * the text and no double ones, so that only a text with both has some to escape.
 */
export function textReprLength(text: string): number {
  let length = 2;
  let singleQuotes = 0;
  let hasDoubleQuote = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x20 && unit < 0x7f) {
      if (unit === SINGLE_QUOTE) singleQuotes += 1;
      else if (unit === DOUBLE_QUOTE) hasDoubleQuote = true;
      length += unit === BACKSLASH ? 2 : 1;
      continue;
    }
    const codePoint = text.codePointAt(i) as number;
    if (codePoint > 0xffff) i += 1;
    length += printedLength(codePoint);
  }
  return hasDoubleQuote ? length + singleQuotes : length;
}

const [SINGLE_QUOTE, DOUBLE_QUOTE, BACKSLASH] = [0x27, 0x22, 0x5c];

function printedLength(codePoint: number): number {
  if (codePoint === 0x09 || codePoint === 0x0a || codePoint === 0x0d) return 2;
  if (isPrintable(codePoint)) return 1;
  if (codePoint < 0x100) return 4;
  return codePoint < 0x10000 ? 6 : 10;
}

/** What was found out about each code point: 0 nothing yet, 1 it can be printed, 2 it cannot. */
const printable = new Uint8Array(0x110000);

/** `str.isprintable`: neither a separator other than the space, nor a control, format, private, lone or unassigned one. */
function isPrintable(codePoint: number): boolean {
  if (printable[codePoint] === 0)
    printable[codePoint] = /[\p{C}\p{Z}]/u.test(String.fromCodePoint(codePoint)) ? 2 : 1;
  return printable[codePoint] === 1;
}
