import { isDeepStrictEqual } from 'node:util';
import { ADVICE, CHECKERS, type Plain, type Rule, type Violation } from '../checkers/index.js';
import { changeFaults } from './changes.js';
import type { Fitted } from './service.js';

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
}

/** Whether the provider takes the request; gateways that want more are not asked. */
export function isLegal(format: string, request: Plain, model: string): boolean {
  return violationsOf(format, request, model).every(({ rule }) => ADVICE.has(rule));
}

/** All that is wrong with an answer. */
export function judge(judged: Judged): Fault[] {
  return [...legalityFaults(judged), ...tokenFaults(judged), ...changeFaults(judged)];
}

/** A legal request stays legal, and an illegal one gets no worse: no rule is broken more often than before. */
function legalityFaults({ format, model, request, fitted }: Judged): Fault[] {
  const before = countByRule(violationsOf(format, request, model));
  const after = violationsOf(format, fitted.conversation, model);
  return [...countByRule(after)].flatMap(([rule, count]) => {
    if (count <= (before.get(rule) ?? 0)) return [];
    const places = after.filter((violation) => violation.rule === rule).map(({ pointer }) => pointer);
    return [{ law: `legality: ${rule}`, detail: places.slice(0, 3).join(', ') }];
  });
}

/** Invariant 9 by recount; what fits comes back as it was. */
function tokenFaults({ request, fitted, recount }: Judged): Fault[] {
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

function violationsOf(format: string, request: Plain, model: string): Violation[] {
  const check = CHECKERS[format];
  if (check === undefined) throw new Error(`no checker for ${format}`);
  return check(request, model);
}

function countByRule(violations: readonly Violation[]): Map<Rule, number> {
  const counts = new Map<Rule, number>();
  for (const { rule } of violations) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}
