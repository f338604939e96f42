import { hasRole, type Ledger, roleAt } from '../../ledger.js';
import { UNIT_FAULTS, type UnitFault } from '../../units.js';
import { budgetsOf } from '../budget.js';
import { History } from '../history.js';
import type { FitOptions } from '../options.js';
import type { Setback } from '../setback.js';
import type { AskedCut, Cut } from '../step.js';
import { DEFAULT_WINDOW, type WindowOptions } from '../window-options.js';
import { type MeasureOptions, measuresOf } from './measure.js';
import { type Side, sideOf } from './side.js';
import type { Flag, Strategy } from './strategy.js';
import { cutEvenly, isAboveFloor } from './truncate.js';
import { unsignedTurns } from './window/newest-question.js';
import type { Unit } from './window/units.js';
import { Window } from './window/window.js';

const REFUSALS = {
  overBudget: {
    code: 'newest_over_budget',
    title: 'Newest messages over the budget',
    description: 'What is pinned and the newest messages are together more than the budget.',
  },
  outputBelowMinimum: {
    code: 'output_below_min_after_trim',
    title: 'Too little output after trimming',
    description:
      'The output that can be requested is below the minimum, and leaving out messages does not change that.',
  },
  systemOverBudget: {
    code: 'system_over_budget',
    title: 'System messages over the budget',
    description: 'The system messages, and what belongs to no message, are alone more than the budget.',
  },
  noStart: {
    code: 'no_start_match',
    title: 'No message to start on',
    description: 'The messages that fit have none that the window may start on.',
  },
  noEnd: {
    code: 'no_end_match',
    title: 'No message to end on',
    description: 'There is no message that the window may end on.',
  },
  malformed: {
    code: 'malformed_tool_history',
    title: 'Malformed tool history',
    description:
      'Calls and results do not belong together: a result without its call, a call without its result, or an id that was used twice.',
  },
} as const;

/**
 * Keeps the newest units that fit, whole, behind what is pinned: the system messages at the front and the newest user
 * message (langchain-trim §10). The result is the pinned messages and an unbroken run up to the end.
 */
export const trim = {
  name: 'trim',
  description:
    'keeps the system messages, the newest user message and the newest messages that fit, calls with their results',
  outcome: 'trimmed',
  outcomeInWords: 'Fits with its newest messages',
  refusals: REFUSALS,
  isLiteral: false,
  canCut: false,
  unshrinkableReason: 'window_start',
  prepare,
  compress: keepNewest,
  flags,
  cuttableMessages,
} as const satisfies Strategy;

/** A unit is dropped for one of these. */
const DROPPED = {
  malformed: { action: 'dropped', reason: 'malformed' },
  afterEnd: { action: 'dropped', reason: 'after_end' },
  beforeStart: { action: 'dropped', reason: 'before_start' },
  overBudget: { action: 'dropped', reason: 'over_budget' },
} as const;

const SHORTENED = { action: 'cut', reason: 'shortened_unit' } as const;

/** Pairs are whole, and the window begins and ends as the caller asked, whatever the budget. */
function prepare(history: History, { window: trim = DEFAULT_WINDOW }: FitOptions): Setback | undefined {
  const { ledger } = history;
  const given = new Window(history, trim);
  const malformed = messagesWith(history, (fault) => isMalformed(fault, trim));
  const faultyUnits = new Set(malformed.map((index) => ledger.units[index]));
  const sound = given.units.filter(({ start }) => !faultyUnits.has(start));
  const canRepair =
    sound.length > 0 &&
    malformed.every((index) => index >= given.frontEnd) &&
    !given.units.some(({ start }, position) => faultyUnits.has(start) && given.isAskedToStay(position)) &&
    !(ledger.rolesAlternate && meetsItself(sound, ledger));
  if (malformed.length > 0 && !(trim.repairs && canRepair)) return setback(REFUSALS.malformed, malformed);

  const ended = sound.slice(0, endOf(sound, history, trim));
  const isPinCutOff = sound.slice(ended.length).some(({ start, end }) => history.holdsPin(start, end));
  if (isPinCutOff || (ended.length === 0 && sound.length > 0)) return setback(REFUSALS.noEnd, []);
  // What a repair leaves in front may be no start, as may what the caller does not want.
  const window = new Window(history, trim, ended);
  const isAsGiven = ended[0] === given.units[0] && !(trim.repairs && !window.isInTurn(0));
  const isAnyStart = isAsGiven && (trim.startOn ?? []).length === 0;
  const start = isAnyStart ? 0 : window.firstStart(0);
  const isPinOutOfTurn = trim.repairs && window.isPinned(0) && !window.isInTurn(0);
  if (isPinOutOfTurn || (start === ended.length && start > 0)) return setback(REFUSALS.noStart, []);

  for (const unit of given.units) if (faultyUnits.has(unit.start)) drop(history, unit, DROPPED.malformed);
  for (const unit of sound.slice(ended.length)) drop(history, unit, DROPPED.afterEnd);
  for (const [position, unit] of ended.slice(0, start).entries())
    if (!window.isPinned(position)) drop(history, unit, DROPPED.beforeStart);
  return undefined;
}

/** Faults that a provider refuses for the order alone are a reason to repair, and none to refuse. */
function isMalformed(fault: UnitFault, { repairs }: WindowOptions): boolean {
  if (fault === 'result_elsewhere' || fault === 'call_elsewhere') return repairs;
  return fault !== 'pending_call' && fault !== 'unsigned_call';
}

/** Whether something is left out between two messages of one side, or an answer and whom nobody knows; those of the system are on none. */
function meetsItself(units: readonly Unit[], ledger: Ledger): boolean {
  let last: Side | undefined;
  let isParted = false;
  for (const [position, { start, end }] of units.entries()) {
    isParted ||= position > 0 && units[position - 1]?.end !== start;
    const side = sideOf(ledger, start);
    const isUnanswerable = side === 'assistant' && last === 'stranger';
    if (isParted && side !== undefined && (side === last || isUnanswerable)) return true;
    if (side !== undefined) isParted = false;
    last = sideOf(ledger, end - 1) ?? last;
  }
  return false;
}

const setback = ({ code }: Pick<Setback, 'code'>, indices: readonly number[]): Setback => ({ code, indices });

function faultAt({ unitFaults }: Ledger, index: number): UnitFault | undefined {
  return UNIT_FAULTS[(unitFaults[index] ?? 0) - 1];
}

/** Messages that are left and have such a fault. */
function messagesWith(history: History, isMeant: (fault: UnitFault) => boolean): number[] {
  const indices: number[] = [];
  for (const index of history.ledger.unitFaults.keys()) {
    const fault = faultAt(history.ledger, index);
    if (fault !== undefined && isMeant(fault) && !history.isDropped(index)) indices.push(index);
  }
  return indices;
}

/**
 * How many units are left when the last ends as asked, and as the provider takes it where anything is asked; all of them
 * where nothing is.
 */
function endOf(units: readonly Unit[], { ledger }: History, { endOn = [], repairs }: WindowOptions): number {
  const isAnyRole = endOn.length === 0;
  if (isAnyRole && !repairs) return units.length;
  const isTaken = (index: number) =>
    !ledger.endsWithUser ||
    roleAt(ledger, index) !== 'assistant' ||
    faultAt(ledger, index) === 'pending_call';
  const newestTurn = units.findLastIndex(({ start }) => ledger.isUser[start] === 1);
  const unsigned = unsignedTurns(units, ledger);
  const isOver = (position: number) => position >= newestTurn || unsigned[position + 1] === 0;
  return (
    1 +
    units.findLastIndex(
      ({ end }, position) =>
        (isAnyRole || hasRole(ledger, end - 1, endOn)) && isTaken(end - 1) && isOver(position),
    )
  );
}

function* keepNewest(history: History, options: FitOptions): Generator<AskedCut, Setback | undefined, Cut> {
  const { window: trim = DEFAULT_WINDOW } = options;
  const window = new Window(history, trim);
  const selected = window.newestWithinBudgets();
  const shortenable = shortenableIn(window, selected, trim);
  if (shortenable !== undefined && canShorten(history, window, selected - 1, options)) {
    dropBefore(history, window, selected - 1, selected - 1);
    yield* cutEvenly(history, indicesOf(shortenable), options, SHORTENED);
    if (!history.isOverBudget) return undefined;
  }
  const start = window.firstStart(selected);
  if (start < window.units.length) {
    dropBefore(history, window, start, selected);
    return undefined;
  }
  const least = window.lastStart();
  dropBefore(history, window, least, least);
  const smallest = shortenableIn(window, least + 1, trim);
  if (smallest !== undefined) yield* cutEvenly(history, indicesOf(smallest), options, SHORTENED);
  return history.isOverBudget ? setbackOf(window, selected) : undefined;
}

/** The first unit that does not fit with those selected, if it may be shortened and the window may begin with it. */
function shortenableIn(window: Window, selected: number, trim: WindowOptions): Unit | undefined {
  const position = selected - 1;
  const isAllowed = trim.shortens && !window.isPinned(position) && window.isStart(position);
  return isAllowed ? window.units[position] : undefined;
}

/** The pinned messages and the newest unit do not fit, or what fits has no start. */
function setbackOf(window: Window, selected: number): Setback {
  const { units, frontEnd } = window;
  const newest = units.filter((_, position) => window.isPinned(position) || position === units.length - 1);
  if (window.isFrontOverBudget || newest.length === 0)
    return setback(REFUSALS.systemOverBudget, indicesOf({ start: 0, end: frontEnd }));
  const refusal = selected === units.length ? REFUSALS.overBudget : REFUSALS.noStart;
  return setback(refusal, newest.flatMap(indicesOf));
}

/** Whether a unit can be cut so far that it fits with all behind it, be every recount one above its plan (langroid-overflow §2). */
function canShorten(history: History, window: Window, position: number, options: MeasureOptions): boolean {
  const indices = indicesOf(window.units[position] as Unit);
  return measuresOf(history, options).every(({ amounts, leastOf }) => {
    const capacity = indices.reduce(
      (sum, index) => sum + Math.max(0, (amounts.content[index] ?? 0) - leastOf(index) - 1),
      0,
    );
    return window.amountFrom(position, amounts) - capacity <= amounts.budget;
  });
}

/** Drops all units before a window but the pinned ones; those from `selected` on would have fitted. */
function dropBefore(history: History, window: Window, start: number, selected: number): void {
  for (let position = 0; position < start; position++) {
    const change = position < selected ? DROPPED.overBudget : DROPPED.beforeStart;
    if (!window.isPinned(position)) drop(history, window.units[position] as Unit, change);
  }
}

function drop(history: History, { start, end }: Unit, change: (typeof DROPPED)[keyof typeof DROPPED]): void {
  if (!history.isDropped(start)) history.recordDrop(start, end, change);
}

function indicesOf({ start, end }: Unit): number[] {
  return Array.from({ length: end - start }, (_, offset) => start + offset);
}

function flags(history: History): Flag[] {
  if (history.changes.length === 0) return [{ code: 'empty_input', detail: 'There are no messages.' }];
  return messagesWith(history, (fault) => fault === 'pending_call').map((index) => ({
    code: 'pending_tool_call',
    detail: `Message ${index} calls tools whose results are still to come.`,
  }));
}

/** Those of the unit that does not fit whole, or of the last that would do. Behind other strategies it may be any. */
function cuttableMessages(ledger: Ledger, options: FitOptions): number[] {
  const { window: trim = DEFAULT_WINDOW, strategies } = options;
  if (!trim.shortens) return [];
  const isCuttable = (index: number) => isAboveFloor(ledger, index, options);
  if (strategies[0] !== 'trim') return [...ledger.contentTokens.keys()].filter(isCuttable);
  const history = new History(ledger, budgetsOf(options), options.pins);
  if (prepare(history, options) !== undefined) return [];
  const window = new Window(history, trim);
  const units = [window.lastStart() + 1, window.newestWithinBudgets()].map((selected) =>
    shortenableIn(window, selected, trim),
  );
  const indices = units.flatMap((unit) => (unit === undefined ? [] : indicesOf(unit)));
  return [...new Set(indices)].filter(isCuttable).sort((a, b) => a - b);
}
