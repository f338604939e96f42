import type { Ledger } from '../../ledger.js';
import type { History } from '../history.js';
import type { FitOptions } from '../options.js';
import type { Setback } from '../setback.js';
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
    /** What else can be in the way (`Setback`). */
    readonly [cause: string]: Refusal;
  };
  /** Whether it does what the reference does, where a request asks for that: calls and results are not looked at. */
  readonly isLiteral: boolean;
  /** Whether it cuts every message between the protected front and the last user message. */
  readonly canCut: boolean;
  /** Whether it asks which attachments are the same (`Ledger.copies`). */
  readonly comparesAttachments?: boolean;
  /** Why a message between the protected front and the last user message could not give more. */
  readonly unshrinkableReason: string;
  /**
   * What the strategy asks of a history whatever its size; where it comes first, before anything else. Changes the
   * history to be so, or tells why it cannot and changes nothing.
   */
  prepare?(history: History, options: FitOptions): Setback | undefined;
  /**
   * Changes the history until it is within its budget, or as far as possible. Where texts have to be cut, it asks for
   * one cut after the other.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most have nothing to tell
  compress(history: History, options: FitOptions): Generator<AskedCut, Setback | void, Cut>;
  /** What a caller should know of a conversation that fits, though nothing is wrong. */
  flags?(history: History): readonly Flag[];
  /** Messages that it may ask to be cut, ascending: their texts have to be at hand. */
  cuttableMessages(ledger: Ledger, options: FitOptions): number[];
}

/** A warning of answers. */
export interface Flag {
  readonly code: string;
  /** One sentence with figures and never content. */
  readonly detail: string;
}

/** An error of the catalog; answered with 422. */
export interface Refusal {
  readonly code: string;
  readonly title: string;
  readonly description: string;
}
