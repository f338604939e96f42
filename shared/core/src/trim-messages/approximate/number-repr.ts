/** How many characters Python prints for a number of JSON, by how it was written there: `1.0` stays a float, `1` is none. */
export function numberReprLength(literal: string): number {
  if (/^-?\d+$/.test(literal)) return literal === '-0' ? 1 : literal.length;
  return floatReprLength(Number(literal));
}

/** The same for a number that was read already, of which only the value is known: a whole one counts as written so. */
export function valueReprLength(value: number): number {
  return Number.isInteger(value) ? String(BigInt(value)).length : floatReprLength(value);
}

/** The fewest digits that give the number back, with an exponent of at least two digits from 1e16 on and below 1e-4. */
function floatReprLength(value: number): number {
  if (!Number.isFinite(value)) return value > 0 || Number.isNaN(value) ? 3 : 4;
  const [mantissa, exponentText] = Math.abs(value).toExponential().split('e') as [string, string];
  const signLength = value < 0 || Object.is(value, -0) ? 1 : 0;
  const exponent = Number(exponentText);
  const digits = mantissa.replace('.', '').length;
  if (exponent >= 16 || exponent < -4)
    return signLength + mantissa.length + 2 + Math.max(2, String(Math.abs(exponent)).length);
  if (exponent < 0) return signLength + 1 - exponent + digits;
  const wholeDigits = exponent + 1;
  return signLength + wholeDigits + 1 + Math.max(1, digits - wholeDigits);
}
