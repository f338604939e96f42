import type { Conversation, Message } from './conversation.js';
import { LEDGER_ROLES, type Ledger, type LedgerRole } from './ledger.js';
import type { Steps } from './steps.js';

/** What can be wrong with calls and their results, the gravest first. Ledgers hold positions in this list. */
export const UNIT_FAULTS = [
  /** A result of a call that only a later message makes. */
  'result_before_call',
  /** A result of a call that no message makes. */
  'orphan_result',
  /** A call with the id of one that is still open. */
  'reused_open_id',
  /** A second result of one call. */
  'repeated_result',
  /** A call without a result, behind which the conversation goes on. */
  'unanswered_call',
  /** A call without a result at the end: the result may be still to come. Not wrong, but to be told. */
  'pending_call',
  /** A result by nobody who may answer; or one that is not directly behind its call, where providers look for it there. */
  'result_elsewhere',
  /** A call by another than the assistant; or one that is not behind the user, where providers take it there alone. */
  'call_elsewhere',
  /** A call without the signature that providers ask for in the turn under way. Not wrong once the user has asked again. */
  'unsigned_call',
] as const;

export type UnitFault = (typeof UNIT_FAULTS)[number];

/** As columns of the ledger. */
export type Units = Pick<Ledger, 'units' | 'unitFaults'>;

/** What a provider asks of where calls and results stand. */
export type Order = Pick<
  Conversation,
  'rolesAlternate' | 'resultsFollowCalls' | 'callsFollowUser' | 'callsAreSigned'
>;

const STEP_MESSAGES = 1024;

/** Roles of messages that hold results and nothing else. */
const TOOL_ROLES: ReadonlySet<string> = new Set(['tool', 'function']);

/**
 * What has to stay together (formats.md §7, langchain-trim §10.1): a call, all its results and what stands between
 * them are a unit, and so are messages of which one is bound to the next; every other message is one of its own. Units
 * are runs of messages, and those that overlap are one. A message may have several faults, of which the gravest is told.
 * What is out of place only with some providers is told where `order` says so. Linear.
 */
export function* unitsOf(messages: readonly Message[], order: Order = {}): Steps<Units> {
  const pairing = new Pairing(messages.length, order);
  for (const [index, message] of messages.entries()) {
    if (index % STEP_MESSAGES === STEP_MESSAGES - 1) yield;
    if (message.calls && !mayCall(message, messages[index - 1], order))
      pairing.misplace(index, 'call_elsewhere');
    if (message.hasUnsignedCall && order.callsAreSigned) pairing.misplace(index, 'unsigned_call');
    if (message.results && !mayAnswer(message)) pairing.misplace(index, 'result_elsewhere');
    if (!TOOL_ROLES.has(message.role)) pairing.interrupt(index);
    for (const id of message.calls ?? []) pairing.call(id, index);
    for (const id of message.results ?? []) pairing.result(id, index);
    for (const id of message.decisions ?? []) pairing.decide(id, index);
    if (message.isBoundToNext && index + 1 < messages.length) pairing.join(index, index + 1);
  }
  pairing.closeOpenCalls(firstPendingIndex(messages));
  return { units: yield* startsOf(pairing.lastJoined), unitFaults: pairing.faults };
}

/** Calls and results as they come, and which messages they join. */
class Pairing {
  readonly faults: Uint8Array;
  /** For each message, the last message that it was joined to, or itself. */
  readonly lastJoined: Int32Array;
  /** By id, the message with the call. */
  readonly #open = new Map<string, number>();
  readonly #answered = new Map<string, number>();
  readonly #orphans = new Map<string, number>();
  readonly #decided = new Set<string>();
  /** The last message that is not a tool's. */
  #interruption = -1;

  constructor(
    length: number,
    private readonly order: Order,
  ) {
    this.faults = new Uint8Array(length);
    this.lastJoined = Int32Array.from({ length }, (_, index) => index);
  }

  call(id: string, index: number): void {
    const orphan = this.#orphans.get(id);
    if (orphan !== undefined) this.#blame(orphan, 'result_before_call');
    this.#orphans.delete(id);
    const open = this.#open.get(id);
    if (open !== undefined) {
      this.#blame(index, 'reused_open_id');
      this.join(open, index);
    }
    this.#answered.delete(id);
    this.#decided.delete(id);
    this.#open.set(id, index);
  }

  result(id: string, index: number): void {
    const open = this.#open.get(id);
    const answered = this.#answered.get(id);
    const call = open ?? answered;
    if (call === undefined) {
      this.#orphans.set(id, index);
      this.#blame(index, 'orphan_result');
      return;
    }
    if (open === undefined) this.#blame(index, 'repeated_result');
    if (!this.#isInPlace(call, index)) this.#blame(index, 'result_elsewhere');
    this.#open.delete(id);
    this.#answered.set(id, call);
    this.join(call, index);
  }

  #isInPlace(call: number, result: number): boolean {
    const { rolesAlternate, resultsFollowCalls } = this.order;
    if (rolesAlternate && result !== call + 1) return false;
    return !resultsFollowCalls || this.#interruption <= call;
  }

  /** Somebody else has the word: further results are not directly behind calls before this. */
  interrupt(index: number): void {
    this.#interruption = index;
  }

  misplace(index: number, fault: UnitFault): void {
    this.#blame(index, fault);
  }

  /** The call is not open any more, and may still get its result. */
  decide(id: string, index: number): void {
    const call = this.#open.get(id);
    if (call === undefined) return;
    this.#decided.add(id);
    this.join(call, index);
  }

  join(first: number, last: number): void {
    this.lastJoined[first] = Math.max(this.lastJoined[first] as number, last);
  }

  /** Calls from `pendingFrom` on may still be answered. */
  closeOpenCalls(pendingFrom: number): void {
    for (const [id, index] of this.#open)
      if (!this.#decided.has(id))
        this.#blame(index, index < pendingFrom ? 'unanswered_call' : 'pending_call');
  }

  #blame(index: number, fault: UnitFault): void {
    const code = UNIT_FAULTS.indexOf(fault) + 1;
    const known = this.faults[index] as number;
    if (known === 0 || code < known) this.faults[index] = code;
  }
}

/** The first message behind which there is nothing but results, and what it is bound to. */
function firstPendingIndex(messages: readonly Message[]): number {
  let first = messages.length - 1;
  while (first > 0 && (holdsOnlyResults(messages[first]) || messages[first - 1]?.isBoundToNext)) first -= 1;
  return first;
}

function holdsOnlyResults(message: Message | undefined): boolean {
  if (message === undefined || startsTurn(message)) return false;
  return (message.results?.length ?? 0) > 0 && (message.calls?.length ?? 0) === 0;
}

/** Calls are the assistant's, and come directly behind the user or a result where providers take them there alone. */
function mayCall({ role }: Message, previous: Message | undefined, { callsFollowUser }: Order): boolean {
  return role === 'assistant' && (!callsFollowUser || previous?.role === 'user' || previous?.role === 'tool');
}

/** Results are never of a role that nobody knows; an assistant has those of the provider's own tools. */
function mayAnswer({ role }: Message): boolean {
  return ['user', 'tool', 'function', 'assistant'].includes(role);
}

function startsTurn({ startsTurn, role }: Message): boolean {
  return startsTurn ?? role === 'user';
}

/** Joined messages, and all between them, as runs. */
function* startsOf(lastJoined: Int32Array): Steps<Int32Array> {
  const starts = new Int32Array(lastJoined.length);
  let start = 0;
  let end = -1;
  for (let index = 0; index < lastJoined.length; index++) {
    if (index % STEP_MESSAGES === STEP_MESSAGES - 1) yield;
    if (index > end) start = index;
    starts[index] = start;
    end = Math.max(end, lastJoined[index] as number);
  }
  return starts;
}

/** The roles of messages, as a column of the ledger. What holds nothing but results is a tool's, whoever sends it. */
export function ledgerRoles(messages: readonly Message[]): Uint8Array {
  return Uint8Array.from(messages, (message) => 1 + LEDGER_ROLES.indexOf(ledgerRole(message)));
}

function ledgerRole(message: Message): LedgerRole {
  if (message.role === 'developer') return 'system';
  return message.role === 'user' && holdsOnlyResults(message) ? 'tool' : (message.role as LedgerRole);
}

/** Whether the user asks something, and not beside results, which goes on with the turn under way. */
export function isQuestion({ role, results }: Message): boolean {
  return role === 'user' && !results?.length;
}

/** 1 for each question, as a column of the ledger. */
export function questionColumn(messages: readonly Message[]): Uint8Array {
  return Uint8Array.from(messages, (message) => Number(isQuestion(message)));
}

/** 1 for each message with which a turn begins, which is never inside a unit. */
export function turnStarts(messages: readonly Message[], units: Int32Array): Uint8Array {
  return Uint8Array.from(messages, (message, index) => Number(startsTurn(message) && units[index] === index));
}
