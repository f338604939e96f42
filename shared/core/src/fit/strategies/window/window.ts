import { hasRole, type Ledger, type LedgerRole } from '../../../ledger.js';
import type { Amounts } from '../../amounts.js';
import type { History } from '../../history.js';
import type { WindowOptions } from '../../window-options.js';
import { sideOf } from '../side.js';
import { reopeningOf, type Waking, wakingOf } from './newest-question.js';
import { type Sides, sidesOf } from './sides.js';
import { sumsOf, type WindowSums } from './sums.js';
import { frontEndOf, holdsRole, leastBefore, pinnedUnits, type Unit, unitsBehindFront } from './units.js';

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
