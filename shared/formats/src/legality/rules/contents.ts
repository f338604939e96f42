import type { Part } from '../entry.js';
import type { Finding, Scan } from '../legality.js';

/** Only these roles are known. */
export function rolesAre(...roles: readonly string[]): Scan {
  const known = new Set(roles);
  return () => ({
    see: ({ role }, index) =>
      known.has(role) ? [] : [{ code: 'unknown_role', index, path: ['role'], remedy: { op: 'drop' } }],
  });
}

/** Messages of some kind of part only from those who may send it. */
export function onlyFrom(
  code: 'misplaced_media' | 'misplaced_part',
  owners: Partial<Readonly<Record<Part['kind'], readonly string[]>>>,
): Scan {
  return () => ({
    isOfParts: true,
    see: ({ role, parts }, index) =>
      parts
        .filter(({ kind }) => owners[kind]?.includes(role) === false)
        .map((part) => ({ code, index, path: part.path, remedy: { op: 'leave_out', part } })),
  });
}

/** Parts whose shape only others than the provider take. */
export const noMalformedParts: Scan = () => ({
  isOfParts: true,
  see: ({ parts }, index) =>
    parts
      .filter(({ kind }) => kind === 'malformed')
      .map((part) => ({ code: 'malformed', index, path: part.path, remedy: { op: 'leave_out', part } })),
});

/** Messages without content, and lists of parts that have none. A result must stay, or its call is left alone. */
export const noEmptyLists: Scan = () => ({
  see: ({ parts }, index) =>
    parts
      .filter(({ kind }) => kind === 'nothing')
      .map((part): Finding => {
        const mustStay = parts.some(({ kind }) => kind === 'result');
        const { path } = part;
        return {
          code: 'empty_content',
          index,
          path,
          remedy: mustStay ? { op: 'empty_text', path } : { op: 'leave_out', part },
        };
      }),
});

/** Texts of white space alone; the answer that a model is to go on with may be one. */
export const noBlankTexts: Scan = ({ messages }) => ({
  isOfParts: true,
  see({ role, parts }, index) {
    const mayBeEmpty = role === 'assistant' && index === messages.length - 1;
    return parts
      .filter(({ isBlank, path }) => isBlank && !(mayBeEmpty && path.length === 1))
      .map((part) => ({ code: 'empty_content', index, path: part.path, remedy: { op: 'leave_out', part } }));
  },
});
