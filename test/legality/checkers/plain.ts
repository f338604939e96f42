/** JSON as a test reads it. */
export type Plain = Record<string, unknown>;

export function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Objects of a list, each with its place; what is none is left out. */
export function placed(list: unknown, pointer: string): { value: Plain; pointer: string }[] {
  return listOf(list).flatMap((value, index) =>
    isPlain(value) ? [{ value, pointer: `${pointer}/${index}` }] : [],
  );
}

/** A field under its name in camelCase or in snake_case. */
export function either(value: Plain, camel: string): unknown {
  return value[camel] ?? value[camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** No content at all, or a list without parts. */
export function isNothing(value: unknown): boolean {
  return value == null || (Array.isArray(value) && value.length === 0);
}

export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
