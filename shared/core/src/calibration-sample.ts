import type { TextKind } from './text-kind.js';

/** What a provider charged for one request, against what its rule had estimated. Numbers only: nothing of the request. */
export interface CalibrationSample {
  /** The rule and its date, since a factor says nothing of another one. */
  readonly rule: string;
  /** The kind of text that nearly all of the request was, or `mixed`. */
  readonly kind: TextKind | 'mixed';
  /** Tokens charged for one that was estimated. */
  readonly factor: number;
  readonly atMs: number;
}
