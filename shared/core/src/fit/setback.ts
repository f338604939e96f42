import type { RefusalCode } from './strategies/index.js';

/** Why a strategy could not do what it is for, if its code for a history over its budget does not say it. */
export interface Setback {
  /** Of one of the strategy's own refusals. */
  readonly code: RefusalCode;
  /** Messages that are concerned, as input indices. */
  readonly indices: readonly number[];
}
