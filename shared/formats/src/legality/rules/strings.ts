import { isObject, type Json, TextRange } from '@preflight/core';
import type { Finding, Scan } from '../legality.js';

/** Strings with half of a surrogate pair in them; one place for each message and field is told. */
export function wellFormedStrings(list: string): Scan {
  return ({ request, messages }) => ({
    see: (_, index) => inMessage(messages[index] as Json, index),
    end: () =>
      Object.entries(request)
        .filter(([name]) => name !== list)
        .flatMap(([name, value]): Finding[] => {
          const path = illFormedAt(value);
          return path === undefined
            ? []
            : [{ code: 'ill_formed_string', path: [name, ...path], remedy: { op: 'mend_strings' } }];
        }),
  });
}

function inMessage(message: Json, index: number): Finding[] {
  const path = illFormedAt(message);
  return path === undefined
    ? []
    : [{ code: 'ill_formed_string', index, path, remedy: { op: 'mend_strings' } }];
}

/** Where the first of them stands; undefined if there is none. Long texts were looked at when they were read. */
function illFormedAt(value: Json): (string | number)[] | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : [];
  if (value instanceof TextRange) return value.given === undefined ? undefined : [];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const path = illFormedAt(item);
      if (path !== undefined) return [index, ...path];
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (!name.isWellFormed()) return [name.toWellFormed()];
    const path = illFormedAt(member);
    if (path !== undefined) return [name, ...path];
  }
  return undefined;
}

/** The same with U+FFFD in place of each half; what is well formed is shared. */
export function mended(value: Json): Json {
  if (illFormedAt(value) === undefined) return value;
  if (typeof value === 'string') return value.toWellFormed();
  if (value instanceof TextRange) return new TextRange(value.buffer, value.start, value.end);
  if (Array.isArray(value)) return value.map(mended);
  return Object.fromEntries(
    Object.entries(value as object).map(([name, member]) => [name.toWellFormed(), mended(member)]),
  );
}
