import type { Violation } from './violation.js';

/** Strings with half of a surrogate pair in them, keys included. */
export function checkStrings(value: unknown, pointer = ''): Violation[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [{ rule: 'ill_formed_string', pointer }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = `${pointer}/${key.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const ofKey: Violation[] = key.isWellFormed() ? [] : [{ rule: 'ill_formed_string', pointer: place }];
    return [...ofKey, ...checkStrings(member, place)];
  });
}
