import type { Ledger } from '../ledger.js';
import { NOTE_CEILING_TOKENS } from './elision-note.js';
import { History } from './history.js';
import type { FitOptions } from './options.js';
import type { Setback } from './setback.js';
import type { AskedCut, Cut } from './step.js';
import { settleCopyNotes } from './strategies/elide-repeated-attachments.js';
import { type FitStrategy, STRATEGIES, type Strategy } from './strategies/index.js';

/** How far the strategies came. */
export interface Compressed {
  /** Those that changed something, in order. */
  readonly applied: readonly FitStrategy[];
  /** Tokens before the first of them compressed. */
  readonly wholeTokens: number;
  /** Its bytes, where they have a budget. */
  readonly wholeBytes: number | undefined;
  /** Nothing had to be compressed. */
  readonly isFitting: boolean;
  /** Why the last strategy that was tried could not do what it is for. */
  readonly setback?: Setback | undefined;
  /** No strategy got so far as to compress, for reasons that no size would change. */
  readonly isStuck: boolean;
}

/**
 * Each strategy in turn, on what the earlier ones left, until the history is within its budget or all have done what
 * they can. Before the first of them compresses, the history may fit as it is.
 */
export function* compress(
  history: History,
  options: FitOptions,
  fitsAsItIs: (history: History) => boolean,
): Generator<AskedCut, Compressed, Cut> {
  const applied: FitStrategy[] = [];
  let isCompressed = false;
  let isFitting = false;
  let wholeTokens = history.tokens;
  let wholeBytes = history.byteAmounts?.total;
  let setback: Setback | undefined;
  for (const name of options.strategies) {
    const strategy: Strategy = STRATEGIES[name];
    const changesBefore = history.changeCount;
    setback = strategy.prepare?.(history, options);
    if (!isCompressed) {
      wholeTokens = history.tokens;
      wholeBytes = history.byteAmounts?.total;
    }
    isFitting = setback === undefined && !isCompressed && fitsAsItIs(history);
    if (setback === undefined && !isFitting && history.isOverBudget) {
      isCompressed = true;
      setback = (yield* strategy.compress(history, options)) ?? undefined;
    }
    yield* settleCopyNotes(history);
    if (history.changeCount > changesBefore) applied.push(name);
    if (isFitting || (setback === undefined && !history.isOverBudget)) break;
  }
  return {
    applied,
    wholeTokens,
    wholeBytes,
    isFitting,
    setback,
    isStuck: setback !== undefined && !isCompressed,
  };
}

/** Messages that any of the strategies may ask to be cut, ascending. */
export function cuttableMessages(ledger: Ledger, options: FitOptions): number[] {
  const indices = options.strategies.map((name) => STRATEGIES[name].cuttableMessages(ledger, options));
  return [...new Set(indices.flat())].sort((a, b) => a - b);
}

/** Tokens to which the strategies together can bring a history, whatever the budget. */
export function leastTokens(ledger: Ledger, options: FitOptions): number {
  const history = new History(ledger, { tokens: Number.NEGATIVE_INFINITY }, options.pins);
  const pass = compress(history, options, () => false);
  for (let asked = pass.next(); !asked.done; ) {
    const { index, keepTokens, elidedTokens, elidedAttachmentTokens } = asked.value;
    // A recount may be above the plan by one (langroid-overflow §2), and a marker in the middle has a line more.
    const contentTokens =
      elidedTokens === undefined && elidedAttachmentTokens === undefined
        ? keepTokens + options.markerTokens + 2
        : NOTE_CEILING_TOKENS;
    asked = pass.next({ index, textIndex: 0, keepBytes: 0, contentTokens });
  }
  return history.tokens;
}
