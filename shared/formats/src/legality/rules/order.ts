import type { Finding, Scan } from '../legality.js';

/** The first message is the user's; what stands before it answers nothing. */
export const startsWithUser: Scan = () => {
  let hasUserSpoken = false;
  return {
    see({ role }, index) {
      hasUserSpoken ||= role === 'user';
      return hasUserSpoken ? [] : [{ code: 'starts_with_user', index, path: [], remedy: { op: 'drop' } }];
    },
  };
};

/** No two messages of one role behind each other; those of the system do not count. */
export const rolesAlternate: Scan = () => {
  let previous: string | undefined;
  let isDirectlyBehind = false;
  return {
    see({ role }, index) {
      if (role === 'system') {
        isDirectlyBehind = false;
        return [];
      }
      const found: Finding[] =
        role === previous
          ? [
              {
                code: 'roles_alternate',
                index,
                path: [],
                ...(isDirectlyBehind && { remedy: { op: 'join_previous' } }),
              },
            ]
          : [];
      previous = role;
      isDirectlyBehind = true;
      return found;
    },
  };
};

/** A document has a text beside it. */
export const documentsWithText: Scan = () => ({
  see: ({ parts }, index) =>
    parts.some(({ kind }) => kind === 'text')
      ? []
      : parts
          .filter(({ kind }) => kind === 'document')
          .map((part) => ({
            code: 'document_alone',
            index,
            path: part.path,
            remedy: { op: 'leave_out', part },
          })),
});

/** Results stand before all else in their message. */
export const resultsBeforeText: Scan = () => ({
  see({ role, parts }, index) {
    const firstOther = parts.findIndex(({ kind }) => kind !== 'result');
    const late = parts.findLastIndex(({ kind }) => kind === 'result');
    if (role !== 'user' || firstOther === -1 || late < firstOther) return [];
    const path = parts[late]?.path ?? [];
    return [{ code: 'results_behind_text', index, path, remedy: { op: 'results_first' } }];
  },
});

/** The model answers; it does not go on with an answer that was begun. */
export function noPrefill(isRefusedBy: (model: string) => boolean): Scan {
  return ({ model, messages }) => ({
    see: ({ role }, index) =>
      role === 'assistant' && index === messages.length - 1 && isRefusedBy(model)
        ? [{ code: 'prefill', index, path: [], remedy: { op: 'drop' } }]
        : [],
  });
}

/** Messages of the system inside the list: not first, and not between calls and their results. */
export const systemBetweenTurns: Scan = () => {
  /** There is nothing before it, or calls that wait for their results. */
  let isTooEarly = true;
  return {
    see({ role, parts }, index) {
      if (role === 'system')
        return isTooEarly ? [{ code: 'misplaced_system', index, path: [], remedy: { op: 'swap_next' } }] : [];
      isTooEarly = parts.some(({ kind }) => kind === 'call');
      return [];
    },
  };
};
