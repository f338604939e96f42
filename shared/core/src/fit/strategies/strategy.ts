import type { Ledger } from '../../ledger.js';
import type { History } from '../history.js';
import type { FitOptions } from '../options.js';
import type { AskedCut, Cut } from '../step.js';

/**
 * A way to compress a history to its budget. All that the product knows about one stands in its file: what it does,
 * how it is told to people, and its codes.
 */
export interface Strategy {
  /** As requests name it. */
  readonly name: string;
  /** What it does, to be read behind its name: one line in the schema of requests and in the usage of the command. */
  readonly description: string;
  /** As answers name it when this strategy made the conversation fit. */
  readonly outcome: string;
  readonly outcomeInWords: string;
  readonly refusals: {
    /** The strategy has done what it can, and the history is still over its budget. */
    readonly overBudget: Refusal;
    /** The history is within its budget, and the output is below the minimum all the same. */
    readonly outputBelowMinimum: Refusal;
  };
  /** Whether it cuts every message between the protected front and the last user message. */
  readonly canCut: boolean;
  /** Why a message between the protected front and the last user message could not give more. */
  readonly unshrinkableReason: string;
  /**
   * Changes the history until it is within its budget, or as far as possible. Where texts have to be cut, it asks for
   * one cut after the other.
   */
  compress(history: History, options: FitOptions): Generator<AskedCut, void, Cut>;
  /** Messages that it may ask to be cut, ascending: their texts have to be at hand. */
  cuttableMessages(ledger: Ledger, options: FitOptions): number[];
}

/** An error of the catalog; answered with 422. */
export interface Refusal {
  readonly code: string;
  readonly title: string;
  readonly description: string;
}
