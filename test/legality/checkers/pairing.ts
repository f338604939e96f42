import type { Violation } from './violation.js';

/** What one entry of a list calls and answers. */
export interface Paired {
  readonly calls: readonly Named[];
  readonly results: readonly Named[];
  /** Nothing but results stands in it, so that further results may follow. */
  readonly isResultOnly: boolean;
  readonly isUser?: boolean;
}

export interface Named {
  readonly id: string;
  readonly pointer: string;
}

/** Results follow their call, with nothing but other results in between (Chat, LangChain, AI SDK). */
export function checkFollowingResults(entries: readonly Paired[]): Violation[] {
  const found: Violation[] = [];
  const open = new Map<string, string>();
  const endStep = () => {
    for (const pointer of open.values()) found.push({ rule: 'call_without_result', pointer });
    open.clear();
  };
  for (const { calls, results, isResultOnly } of entries) {
    if (!isResultOnly) endStep();
    for (const { id, pointer } of calls) {
      if (open.has(id)) found.push({ rule: 'reused_call_id', pointer });
      open.set(id, pointer);
    }
    for (const { id, pointer } of results)
      if (!open.delete(id)) found.push({ rule: 'result_without_call', pointer });
  }
  endStep();
  return found;
}

/** Every result has its call somewhere before it, every call its result somewhere behind (Responses). */
export function checkAnyResults(entries: readonly Paired[], areCallsElsewhere: boolean): Violation[] {
  const found: Violation[] = [];
  const open = new Map<string, string>();
  for (const { calls, results } of entries) {
    for (const { id, pointer } of calls) {
      if (open.has(id)) found.push({ rule: 'reused_call_id', pointer });
      open.set(id, pointer);
    }
    for (const { id, pointer } of results)
      if (!open.delete(id) && !areCallsElsewhere) found.push({ rule: 'result_without_call', pointer });
  }
  for (const pointer of open.values()) found.push({ rule: 'call_without_result', pointer });
  return found;
}

/**
 * All results of a message's calls stand in the next message, and no others (Anthropic, Converse, Gemini). Those that
 * stand in the one after it, both being the user's, are split.
 */
export function checkNextMessageResults(messages: readonly Paired[]): Violation[] {
  const found: Violation[] = [];
  const answeredBy = (index: number) => new Set(messages[index]?.results.map(({ id }) => id));
  for (const [index, { calls, results }] of messages.entries()) {
    const seen = new Set<string>();
    for (const { id, pointer } of calls) {
      if (seen.has(id)) found.push({ rule: 'reused_call_id', pointer });
      seen.add(id);
    }
    const [next, behind] = [answeredBy(index + 1), answeredBy(index + 2)];
    const isSplit = messages[index + 1]?.isUser === true && messages[index + 2]?.isUser === true;
    for (const { id, pointer } of calls)
      if (!next.has(id))
        found.push({ rule: isSplit && behind.has(id) ? 'results_split' : 'call_without_result', pointer });
    const callsBefore = new Set(messages[index - 1]?.calls.map(({ id }) => id));
    const callsLongBefore = new Set(messages[index - 2]?.calls.map(({ id }) => id));
    const isLate = messages[index - 1]?.isUser === true && messages[index]?.isUser === true;
    const answered = new Set<string>();
    for (const { id, pointer } of results) {
      const isFirst = !answered.has(id);
      answered.add(id);
      const isSplitOff = isLate && callsLongBefore.has(id) && !answeredBy(index - 1).has(id);
      if (!isFirst || !(callsBefore.has(id) || isSplitOff))
        found.push({ rule: 'result_without_call', pointer });
    }
  }
  return found;
}
