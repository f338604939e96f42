import type { Countable } from '@preflight/core';

/** Tokens as a sum: of constants, plus the counts of `countables`, minus the counts of `subtracted`. */
export interface Overhead {
  readonly countables: readonly Countable[];
  /** Counted elsewhere in a form that is not sent (the declaration rule pads a system message). Mostly empty. */
  readonly subtracted: readonly Countable[];
  readonly constantTokens: number;
}
