import type { JsonObject, Steps } from '@preflight/core';
import type { Entry, Part } from '../entry.js';
import type { Finding, RuleCode, Scan } from '../legality.js';

/** Calls and results of one message that are looked at in one step: it may have as many as a conversation has messages. */
const STEP_CALLS = 1024;

/** A call that has no result yet. */
interface OpenCall {
  readonly index: number;
  readonly part: Part;
}

function finding(code: RuleCode, index: number, part: Part): Finding {
  return { code, index, path: part.path, remedy: { op: 'leave_out', part } };
}

/** Only the assistant calls; what stands elsewhere is misplaced, and calls nothing. */
function calls({ role, parts }: Entry): readonly Part[] {
  return role === 'assistant' ? parts.filter(({ kind }) => kind === 'call') : [];
}

function results({ role, parts }: Entry): readonly Part[] {
  return role === 'tool' || role === 'user' ? parts.filter(({ kind }) => kind === 'result') : [];
}

/** Calls and results by id, as they come. */
class OpenCalls {
  readonly #open = new Map<string, OpenCall>();
  /** By the id of a request to approve them, calls that wait for it. */
  readonly #toApprove = new Map<string, string>();
  /** Calls that the user has decided on: they are made or refused next, and may be open until then. */
  readonly #decided = new Set<string>();

  /** Takes calls; tells those whose id is that of one that is open. */
  *call(entry: Entry, index: number): Steps<Finding[]> {
    const found: Finding[] = [];
    for (const [position, part] of calls(entry).entries()) {
      if (position % STEP_CALLS === STEP_CALLS - 1) yield;
      const id = part.id as string;
      if (this.#open.has(id)) found.push(finding('reused_call_id', index, part));
      else this.#open.set(id, { index, part });
    }
    return found;
  }

  /** Takes results; tells those of no call that is open. */
  *answer(entry: Entry, index: number): Steps<Finding[]> {
    const found: Finding[] = [];
    for (const [position, part] of results(entry).entries()) {
      if (position % STEP_CALLS === STEP_CALLS - 1) yield;
      if (!this.#open.delete(part.id as string)) found.push(finding('result_without_call', index, part));
    }
    return found;
  }

  /** Takes requests to approve calls, and what the user decided. */
  decide({ parts }: Entry): void {
    for (const { id, approvalId } of parts) {
      if (approvalId === undefined) continue;
      if (id !== undefined) this.#toApprove.set(approvalId, id);
      else this.#decided.add(this.#toApprove.get(approvalId) ?? '');
    }
  }

  /** No result comes any more. */
  *close(): Steps<Finding[]> {
    if (this.#open.size === 0) return [];
    const found: Finding[] = [];
    let position = 0;
    for (const [id, { index, part }] of this.#open) {
      if (++position % STEP_CALLS === 0) yield;
      if (!this.#decided.has(id)) found.push(finding('call_without_result', index, part));
    }
    this.#open.clear();
    this.#decided.clear();
    return found;
  }
}

/** Results follow the message with their calls, with nothing but other results in between. */
export const resultsFollow: Scan = () => {
  const open = new OpenCalls();
  return {
    *see(entry, index) {
      const closed = entry.role === 'tool' ? [] : yield* open.close();
      const called = yield* open.call(entry, index);
      open.decide(entry);
      return [...closed, ...called, ...(yield* open.answer(entry, index))];
    },
    end: () => open.close(),
  };
};

/** Results come anywhere behind their calls. */
export function resultsAnywhere(areCallsElsewhere: (request: JsonObject) => boolean): Scan {
  return ({ request }) => {
    const open = new OpenCalls();
    const areElsewhere = areCallsElsewhere(request);
    return {
      *see(entry, index) {
        const called = yield* open.call(entry, index);
        const answered = yield* open.answer(entry, index);
        return areElsewhere ? called : [...called, ...answered];
      },
      end: () => open.close(),
    };
  };
}

/** All results of a message's calls stand in the next message; messages of the system in between are another fault. */
export const resultsInNextMessage: Scan = () => {
  const open = new OpenCalls();
  /** Calls of the message before the last one that are not answered there. */
  let late: readonly Finding[] = [];
  let previousRole = '';
  return {
    *see(entry, index) {
      if (entry.role === 'system') return [];
      const orphans = yield* open.answer(entry, index);
      const lateIds = previousRole === 'user' && entry.role === 'user' ? yield* idsOf(late) : NO_IDS;
      const isSplit = lateIds.size > 0 && results(entry).some(({ id }) => lateIds.has(id as string));
      const lost: Finding[] = isSplit
        ? [{ code: 'results_split', index, path: [], remedy: { op: 'join_previous' } }]
        : [...late];
      const found = [
        ...lost,
        ...orphans.filter(
          ({ remedy }) => !(isSplit && remedy?.op === 'leave_out' && lateIds.has(remedy.part.id as string)),
        ),
      ];
      late = yield* open.close();
      previousRole = entry.role;
      return [...found, ...(yield* open.call(entry, index))];
    },
    *end() {
      return [...late, ...(yield* open.close())];
    },
  };
};

const NO_IDS: ReadonlySet<string> = new Set();

/** Ids of the calls that findings are about. */
function* idsOf(findings: readonly Finding[]): Steps<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const [position, { remedy }] of findings.entries()) {
    if (position % STEP_CALLS === STEP_CALLS - 1) yield;
    ids.add(remedy?.op === 'leave_out' ? (remedy.part.id ?? '') : '');
  }
  return ids;
}
