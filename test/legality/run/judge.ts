import { isDeepStrictEqual } from 'node:util';
import { finish, type JsonObject } from '@preflight/core';
import { checkLegality, FORMATS, type FormatName } from '@preflight/formats';
import { ADVICE, CHECKERS, type Plain, type Rule, type Violation } from '../checkers/index.js';
import { changeFaults } from './changes.js';
import type { Fitted } from './service.js';

/** What is known of a request, which is the same for all that is made of it. */
class OfRequest<Known> {
  readonly #known = new WeakMap<Plain, Known>();

  of(request: Plain, find: () => Known): Known {
    const known = this.#known.get(request) ?? find();
    this.#known.set(request, known);
    return known;
  }
}

const rulesBefore = new OfRequest<ReadonlyMap<Rule, number>>();
const codesBefore = new OfRequest<ReadonlyMap<string, number>>();

/** A law that an answer breaks, and where; never any content. */
export interface Fault {
  readonly law: string;
  readonly detail: string;
}

export interface Judged {
  readonly format: string;
  readonly model: string;
  readonly request: Plain;
  readonly fitted: Fitted;
  /** Tokens of the returned conversation, counted anew. */
  readonly recount: number;
  readonly asked?: Asked;
}

/** What a caller may ask for that others may not do. */
export interface Asked {
  /** The newest user message may go. */
  readonly mayLoseNewest?: boolean;
  /** The conversation need not have an end as asked. */
  readonly mayFindNoEnd?: boolean;
  /** Calls, results and turns are in order then, whatever they were before. */
  readonly isRepaired?: boolean;
}

/** What a repair sees to. A call at the end may wait for its results; and where somebody unknown speaks, nobody knows whose turn it is. */
const REPAIRED: ReadonlySet<Rule> = new Set([
  'result_without_call',
  'call_without_result',
  'results_split',
  'reused_call_id',
  'response_count',
  'call_turn_order',
  'starts_with_user',
  'prefill',
  'misplaced_system',
]);

/** Whether the provider takes the request; gateways that want more are not asked. */
export function isLegal(format: string, request: Plain, model: string): boolean {
  return violationsOf(format, request, model).every(({ rule }) => ADVICE.has(rule));
}

/** What is wrong with the returned conversation, whatever the figures beside it. */
export function conversationFaults(judged: Omit<Judged, 'recount'>): Fault[] {
  return [...legalityFaults(judged), ...checkFaults(judged), ...changeFaults(judged)];
}

/**
 * A legal request stays legal, and an illegal one gets no worse: no rule is broken more often than before, and after a
 * repair none of those that it sees to is broken at all.
 */
function legalityFaults({ format, model, request, fitted, asked }: Omit<Judged, 'recount'>): Fault[] {
  const before = rulesBefore.of(request, () => countByRule(violationsOf(format, request, model)));
  const after = violationsOf(format, fitted.conversation, model);
  const isWaiting = fitted.warnings.some(({ code }) => code === 'pending_tool_call');
  const isUnknown = after.some(({ rule }) => rule === 'unknown_role');
  return [...countByRule(after)].flatMap(([rule, count]) => {
    const isMended = asked?.isRepaired === true && REPAIRED.has(rule) && !isWaiting && !isUnknown;
    if (count <= (isMended ? 0 : (before.get(rule) ?? 0))) return [];
    const places = after.filter((violation) => violation.rule === rule).map(({ pointer }) => pointer);
    return [{ law: `legality: ${rule}`, detail: places.slice(0, 3).join(', ') }];
  });
}

/** The same by the product's own check. */
function checkFaults({ format, model, request, fitted }: Omit<Judged, 'recount'>): Fault[] {
  const before = codesBefore.of(request, () => countByCode(request, format, model));
  return [...countByCode(fitted.conversation, format, model)].flatMap(([code, count]) =>
    count <= (before.get(code) ?? 0) ? [] : [{ law: `own check: ${code}`, detail: String(count) }],
  );
}

function countByCode(request: Plain, format: string, model: string): Map<string, number> {
  const product = FORMATS[format as FormatName];
  const { violations } = finish(checkLegality(request as JsonObject, product, model));
  return countOf(violations.map(({ code }) => code));
}

/** Invariant 9 by recount; what fits comes back as it was. */
export function tokenFaults({ request, fitted, recount }: Judged): Fault[] {
  const { tokens, edits, conversation, max_output_tokens } = fitted;
  const faults: Fault[] = [];
  const fault = (law: string, detail: string) => faults.push({ law, detail });
  if (recount !== tokens.after) fault('recount is `after`', `${recount} for ${tokens.after}`);
  if (edits.length > 0 && recount > tokens.budget)
    fault('within the budget', `${recount} of ${tokens.budget}`);
  if (
    edits.length === 0 &&
    tokens.context_window !== null &&
    recount + max_output_tokens > tokens.context_window
  )
    fault('within the window', `${recount} and ${max_output_tokens} of ${tokens.context_window}`);
  if (edits.length === 0 && !isDeepStrictEqual(conversation, request)) fault('unchanged without edits', '');
  return faults;
}

/** The returned conversation has the bytes that the answer says, and no more than it may. */
export function byteFaults({ bytes, conversation }: Fitted): Fault[] {
  if (bytes === undefined) return [];
  const written = Buffer.byteLength(JSON.stringify(conversation));
  const detail = `${written} for ${bytes.after} of ${bytes.max}`;
  return written === bytes.after && written <= bytes.max ? [] : [{ law: 'bytes by recount', detail }];
}

/** Nothing is done to what is pinned, but that thinking goes whose prefix has changed. */
export function pinFaults({ messages }: Fitted, pins: readonly number[]): Fault[] {
  const changed = pins.filter((index) => {
    const { action = 'kept', reason } = messages[index] ?? {};
    return action !== 'kept' && reason !== 'bound_to_prefix';
  });
  return changed.map((index) => ({ law: 'pinned messages stay as they are', detail: String(index) }));
}

function violationsOf(format: string, request: Plain, model: string): Violation[] {
  const check = CHECKERS[format];
  if (check === undefined) throw new Error(`no checker for ${format}`);
  return check(request, model);
}

function countByRule(violations: readonly Violation[]): Map<Rule, number> {
  return countOf(violations.map(({ rule }) => rule));
}

function countOf<Name>(names: readonly Name[]): Map<Name, number> {
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
