import type { PreflightError } from '@preflight/core';

/** What is wrong and where, in one text: vendors' errors have no list of places. `nameOf` writes a place as the vendor does. */
export function errorMessage(
  { issues = [], publicDetail }: PreflightError,
  nameOf: (pointer: string) => string,
): string {
  if (issues.length === 0) return publicDetail;
  return `${issues.map(({ pointer, detail }) => `${nameOf(pointer) || 'body'}: ${detail}`).join('; ')}.`;
}

/** `/messages/0/content` as `messages.0.content`. */
export function dottedPlace(pointer: string): string {
  return namesIn(pointer).join('.');
}

/** `/input/0/content` as `input[0].content`. */
export function bracketedPlace(pointer: string): string {
  return namesIn(pointer).reduce((place, name) => {
    if (/^\d+$/.test(name)) return `${place}[${name}]`;
    return place === '' ? name : `${place}.${name}`;
  }, '');
}

function namesIn(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}
