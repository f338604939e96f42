import { hasRole, type Ledger, type LedgerRole } from '../../ledger.js';
import { UNIT_FAULTS } from '../../units.js';
import type { Amounts } from '../amounts.js';
import type { History } from '../history.js';
import type { WindowOptions } from '../window-options.js';
import { type Side, sideOf } from './side.js';

/** Messages that stay or go together: `start` up to `end`, the latter not included. */
export interface Unit {
  readonly start: number;
  readonly end: number;
}

/** What a window may begin with if the caller does not say. */
const DEFAULT_START: readonly LedgerRole[] = ['user'];

/**
 * The ways to keep a history's newest units: a window is named by the position of its oldest unit, and has all from
 * there to the end, the front, and what is pinned. Made in one pass; every question is then answered
 * from sums.
 */
export class Window {
  /** Messages before this one are always kept. */
  readonly frontEnd: number;
  /** Units behind the front that are left, oldest first. */
  readonly units: readonly Unit[];
  /** Position of the unit that begins the newest turn, if that is pinned; or -1. */
  readonly #newestUser: number;
  /** The same of the unit in which the user speaks last. */
  readonly #newestAsking: number;
  readonly #isPinned: Uint8Array;
  /** Tokens, and bytes if they have a budget. */
  readonly #sums: readonly WindowSums[];
  readonly #ledger: Ledger;
  readonly #history: History;
  readonly #startOn: readonly LedgerRole[];
  /** What comes back where the newest question goes. */
  readonly #waking: Waking | undefined;
  /** The newest question, if without it a turn before it would be under way again and is not signed; or infinite. */
  readonly #reopening: number;
  /** Where roles alternate. */
  readonly #sides: Sides | undefined;

  constructor(history: History, trim: WindowOptions, units = unitsBehindFront(history)) {
    this.#ledger = history.ledger;
    this.#history = history;
    this.#startOn = trim.startOn ?? DEFAULT_START;
    this.units = units;
    this.frontEnd = frontEndOf(history.ledger);
    this.#newestUser = trim.pinsNewestUser
      ? units.findLastIndex(({ start }) => history.ledger.isUser[start] === 1)
      : -1;
    // The user may ask behind results, in one message with them, or between calls and results: that begins no turn.
    this.#newestAsking = trim.pinsNewestUser
      ? units.findLastIndex((unit) => holdsRole(history.ledger, unit, 'user'))
      : -1;
    this.#isPinned = pinnedUnits(units, history);
    if (this.#newestUser !== -1) this.#isPinned[this.#newestUser] = 1;
    if (this.#newestAsking !== -1)
      this.#isPinned.fill(1, leastBefore(this.#newestAsking, units, history.ledger), this.#newestAsking + 1);
    this.#sides = history.ledger.rolesAlternate ? sidesOf(units, this.#isPinned, history.ledger) : undefined;
    this.#sums = history.amounts.map((amounts) => sumsOf(amounts, this, this.#isPinned));
    this.#waking = wakingOf(units, this.#isPinned, history);
    this.#reopening = reopeningOf(units, this.#isPinned, history.ledger);
  }

  /** What the front has alone, and what belongs to no message. */
  get isFrontOverBudget(): boolean {
    return this.#sums.some(({ amounts, front }) => front > amounts.budget);
  }

  /** Tokens or bytes of the whole history with this window; `units.length` is the empty one. */
  amountFrom(position: number, of: Amounts): number {
    const { front, pinnedBefore, from } = this.#sums.find(({ amounts }) => amounts === of) as WindowSums;
    const isAwake = of === this.#history.tokenAmounts && position > (this.#waking?.position ?? position);
    return (
      front +
      (pinnedBefore[position] ?? 0) +
      (from[position] ?? 0) +
      (isAwake ? (this.#waking?.tokens ?? 0) : 0)
    );
  }

  /** The largest window within all budgets that leaves something out. */
  newestWithinBudgets(): number {
    const largest = 1 + this.#isPinned.indexOf(0);
    if (largest === 0) return this.units.length;
    const fits = (position: number) =>
      this.#sums.every(({ amounts }) => this.amountFrom(position, amounts) <= amounts.budget);
    let position = this.units.length;
    while (position > largest && fits(position - 1)) position -= 1;
    return position;
  }

  /** Whether a unit stays in any case. */
  isPinned(position: number): boolean {
    return this.#isPinned[position] === 1;
  }

  /** Whether a unit itself is to stay, and not only what it goes with: it holds a pin, or what the user asked last. */
  isAskedToStay(position: number): boolean {
    const { start, end } = this.units[position] as Unit;
    return (
      position === this.#newestUser || position === this.#newestAsking || this.#history.holdsPin(start, end)
    );
  }

  /** Whether the history may go on with this window behind its front. */
  isStart(position: number): boolean {
    return this.isAskedStart(position) && this.isInTurn(position);
  }

  /** Whether the caller takes this start. */
  isAskedStart(position: number): boolean {
    if (this.#startOn.length === 0) return true;
    if (this.#newestUser !== -1 && this.#newestUser <= position) return true;
    const unit = this.units[position];
    return unit !== undefined && hasRole(this.#ledger, unit.start, this.#startOn);
  }

  /**
   * Whether the provider takes this start: where roles alternate, the assistant answers what stays before it. It is the first
   * to speak only where it was so already, and the provider takes that; so is one whom nobody knows.
   */
  isInTurn(position: number): boolean {
    if (position > this.#reopening) return false;
    if (this.#sides === undefined || this.isPinned(position - 1)) return true;
    const { before, from } = this.#sides;
    const unit = this.units[position];
    if (unit === undefined) return true;
    // A message of the system is not the first either.
    if (before[position] === undefined && sideOf(this.#ledger, unit.start) === undefined) return false;
    if (position === 0 && unit.start === this.frontEnd && !this.#ledger.startsWithUser) return true;
    if (from[position] === 'stranger') return before[position] !== undefined;
    return from[position] !== 'assistant' || before[position] === 'user';
  }

  /** The largest window with a right start that is no larger than this one; the empty one if there is none. */
  firstStart(position: number): number {
    let start = position;
    while (start < this.units.length && !this.isStart(start)) start += 1;
    return start;
  }

  /** The smallest window with a right start, or -1. */
  lastStart(): number {
    let start = this.units.length - 1;
    while (start >= 0 && !this.isStart(start)) start -= 1;
    return start;
  }
}

function holdsRole(ledger: Ledger, { start, end }: Unit, role: LedgerRole): boolean {
  for (let index = start; index < end; index++) if (hasRole(ledger, index, [role])) return true;
  return false;
}

/** By unit: who of what stays in any case has spoken last before it, and who speaks first from it on. */
interface Sides {
  readonly before: readonly (Side | undefined)[];
  readonly from: readonly (Side | undefined)[];
}

function sidesOf(units: readonly Unit[], isPinned: Uint8Array, ledger: Ledger): Sides {
  const before = new Array<Side | undefined>(units.length);
  const from = new Array<Side | undefined>(units.length);
  let last: Side | undefined;
  for (const [position, { end }] of units.entries()) {
    before[position] = last;
    if (isPinned[position] === 1) last = sideOf(ledger, end - 1) ?? last;
  }
  let next: Side | undefined;
  for (let position = units.length - 1; position >= 0; position--) {
    next = sideOf(ledger, (units[position] as Unit).start) ?? next;
    from[position] = next;
  }
  return { before, from };
}

/** 1 for each unit that holds a pin; where roles alternate, for all of its turn, which nothing may be parted from. */
function pinnedUnits(units: readonly Unit[], history: History): Uint8Array {
  const { rolesAlternate, isUser } = history.ledger;
  const pinned = Uint8Array.from(units, ({ start, end }) => Number(history.holdsPin(start, end)));
  if (!rolesAlternate || !pinned.includes(1)) return pinned;
  for (let start = 0, end = 0; start < units.length; start = end) {
    end = start + 1;
    while (end < units.length && isUser[(units[end] as Unit).start] !== 1) end += 1;
    if (pinned.subarray(start, end).includes(1)) pinned.fill(1, start, end);
  }
  return pinned;
}

/** The unit from which on nothing may be parted from this one: where roles alternate, that with which its turn begins. */
function leastBefore(position: number, units: readonly Unit[], { rolesAlternate, isUser }: Ledger): number {
  let start = position;
  while (rolesAlternate && start > 0 && isUser[(units[start] as Unit).start] !== 1) start -= 1;
  return start;
}

/** Sums from which all windows can be told, of tokens or of bytes. */
interface WindowSums {
  readonly amounts: Amounts;
  /** What the messages before the units have, and what belongs to no message. */
  readonly front: number;
  /** Of the pinned units before each. */
  readonly pinnedBefore: Float64Array;
  /** Of each unit and all behind it. */
  readonly from: Float64Array;
}

function sumsOf(
  amounts: Amounts,
  { units, frontEnd }: Pick<Window, 'units' | 'frontEnd'>,
  isPinned: Uint8Array,
): WindowSums {
  const firstUnpinned = isPinned.indexOf(0);
  const from = new Float64Array(units.length + 1);
  const pinnedBefore = new Float64Array(units.length + 1);
  for (let position = units.length - 1; position >= 0; position--)
    from[position] =
      (from[position + 1] ?? 0) + amountOf(amounts, units[position] as Unit, position > firstUnpinned);
  for (const [position, pinned] of isPinned.entries())
    pinnedBefore[position + 1] =
      (pinnedBefore[position] ?? 0) + pinned * ((from[position] ?? 0) - (from[position + 1] ?? 0));
  let front = amounts.overhead;
  for (let index = 0; index < frontEnd; index++) front += amounts.of(index);
  return { amounts, front, pinnedBefore, from };
}

/** What a unit has, in front of whatever is left out or behind it. */
function amountOf(amounts: Amounts, { start, end }: Unit, isBehind: boolean): number {
  let amount = 0;
  for (let index = start; index < end; index++)
    amount += isBehind ? amounts.looseOf(index) : amounts.of(index);
  return amount;
}

/** Whether the turn under way has a call that is not signed behind the front, and then behind each unit: 1 or 0. */
export function unsignedTurns(units: readonly Unit[], ledger: Ledger): Uint8Array {
  const { isUser, unitFaults } = ledger;
  const unsigned = UNIT_FAULTS.indexOf('unsigned_call') + 1;
  let isUnsigned = false;
  const see = ({ start, end }: Unit) => {
    for (let index = start; index < end; index++)
      isUnsigned = unitFaults[index] === unsigned || (isUnsigned && isUser[index] !== 1);
    return Number(isUnsigned);
  };
  return Uint8Array.from([{ start: 0, end: frontEndOf(ledger) }, ...units], see);
}

/** Only what is pinned stays before a question that goes. */
function reopeningOf(units: readonly Unit[], isPinned: Uint8Array, ledger: Ledger): number {
  const newest = units.findLastIndex(({ start }) => ledger.isUser[start] === 1);
  if (newest === -1 || isPinned[newest] === 1) return Number.POSITIVE_INFINITY;
  const left = units.slice(0, newest + 1).filter((_, position) => isPinned[position] === 1);
  return unsignedTurns(left, ledger).at(-1) === 1 ? newest : Number.POSITIVE_INFINITY;
}

/** Thinking that counts in windows behind the newest question, which would leave that out (`IdleThinking`). */
interface Waking {
  /** Of the unit with the newest question. */
  readonly position: number;
  readonly tokens: number;
}

/** Only what is pinned stays before a question that goes. */
function wakingOf(units: readonly Unit[], isPinned: Uint8Array, { ledger }: History): Waking | undefined {
  const { idleTokens, questions } = ledger;
  if (idleTokens === undefined || questions === undefined) return undefined;
  const asks = ({ start, end }: Unit) => questions.subarray(start, end).includes(1);
  const position = units.findLastIndex(asks);
  if (position === -1 || isPinned[position] === 1) return undefined;
  let tokens = 0;
  for (let before = position - 1; before >= 0; before--) {
    if (isPinned[before] !== 1) continue;
    const { start, end } = units[before] as Unit;
    const newest = questions.subarray(start, end).lastIndexOf(1);
    for (let index = start + newest + 1; index < end; index++) tokens += idleTokens[index] ?? 0;
    if (newest !== -1) break;
  }
  return { position, tokens };
}

/** The protected messages, and the rest of a unit that begins among them. */
function frontEndOf({ units, protectedCount }: Ledger): number {
  let end = Math.min(protectedCount, units.length);
  while (end > 0 && end < units.length && (units[end] ?? end) < end) end += 1;
  return end;
}

function unitsBehindFront(history: History): Unit[] {
  const { units: unitStarts } = history.ledger;
  const units: Unit[] = [];
  for (let start = frontEndOf(history.ledger), end = start; start < unitStarts.length; start = end) {
    end = start + 1;
    while (end < unitStarts.length && (unitStarts[end] ?? end) < end) end += 1;
    if (!history.isDropped(start)) units.push({ start, end });
  }
  return units;
}
