import type { Finding, Scan } from '../legality.js';

/** Reasoning stands directly before what it led to, which is the model's. */
export const reasoningWithFollower: Scan = () => {
  let alone: Finding | undefined;
  return {
    see({ role, parts }, index) {
      const found = alone !== undefined && role !== 'assistant' ? [alone] : [];
      const isReasoning =
        parts.length > 0 && parts.every(({ kind, path }) => kind === 'thinking' && path.length === 0);
      alone = isReasoning ? { code: 'reasoning_alone', index, path: [], remedy: { op: 'drop' } } : undefined;
      return found;
    },
    end: () => (alone === undefined ? [] : [alone]),
  };
};

/** Thinking comes back with the signature that it was given. */
export const thinkingIsSigned: Scan = () => ({
  isOfParts: true,
  see: ({ parts }, index) =>
    parts
      .filter(({ kind, isSigned }) => kind === 'thinking' && isSigned === false)
      .map((part) => ({
        code: 'unsigned_thinking',
        index,
        path: part.path,
        remedy: { op: 'leave_out', part },
      })),
});

/** In the turn under way, the first call of each step has its signature; earlier turns are not looked at. */
export function callsAreSigned(isAskedBy: (model: string) => boolean): Scan {
  return ({ model }) => {
    const isAsked = isAskedBy(model);
    let ofTurn: Finding[] = [];
    return {
      see({ role, parts }, index) {
        if (role === 'user' && !parts.some(({ kind }) => kind === 'result')) ofTurn = [];
        const [first, ...others] = parts.filter(({ kind }) => kind === 'call');
        if (isAsked && role === 'assistant' && first?.isSigned === false)
          for (const part of [first, ...others])
            ofTurn.push({
              code: 'missing_signature',
              index,
              path: part.path,
              remedy: { op: 'leave_out', part },
            });
        return [];
      },
      end: () => ofTurn,
    };
  };
}

/** Calls come directly behind what the user said or what tools gave back. */
export const callsBehindUser: Scan = () => {
  /** Who speaks in the message before, as it stands and after the remedies. */
  let before: string | undefined;
  let previous: string | undefined;
  /** Calls that are to be left out, and their results with them. */
  let leftOut = new Set<string>();
  return {
    *see({ role, parts }, index) {
      const calls = parts.filter(({ kind }) => kind === 'call');
      if (calls.length > 0) yield;
      const isUncovered = before === 'user';
      before = role;
      const isOfLeftOut =
        parts.length > 0 && parts.every(({ kind, id }) => kind === 'result' && leftOut.has(id as string));
      leftOut = new Set();
      if (isOfLeftOut) return [];
      const found: Finding[] = [];
      if (calls.length > 0 && role === 'assistant' && previous === 'assistant')
        found.push({
          code: 'call_turn_order',
          index,
          path: calls[0]?.path ?? [],
          remedy: { op: 'join_previous' },
          isUncovered,
        });
      else if (calls.length > 0 && role === 'assistant' && previous !== 'user') {
        leftOut = new Set(calls.map(({ id }) => id as string));
        found.push({
          code: 'call_turn_order',
          index,
          path: calls[0]?.path ?? [],
          remedy: { op: 'drop' },
          isUncovered,
        });
        return found;
      }
      previous = role;
      return found;
    },
  };
};
