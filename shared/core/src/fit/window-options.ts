import type { LedgerRole } from '../ledger.js';

/** How a trim chooses its window (langchain-trim §10). */
export interface WindowOptions {
  /**
   * What the window begins with, behind the pinned messages; a pinned user message in front will do as well. Without
   * it, the window begins with a user message where something had to go. An empty list switches the rule off.
   */
  readonly startOn?: readonly LedgerRole[];
  /** What the window ends with, whatever the budget. None, or an empty list: with whatever comes last. */
  readonly endOn?: readonly LedgerRole[];
  /** The newest user message is kept, so that a long loop of tools does not push out the request it serves. */
  readonly pinsNewestUser: boolean;
  /** The oldest unit of the window may be shortened to fit; never the arguments of calls. */
  readonly shortens: boolean;
  /** Units with faulty calls or results are left out; without it, they are a reason to refuse. */
  readonly repairs: boolean;
}

export const DEFAULT_WINDOW: WindowOptions = { pinsNewestUser: true, shortens: false, repairs: false };
