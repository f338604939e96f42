import type { Ledger } from '../ledger.js';
import { historyBudgetTokens, outputBesideHistory } from './budget.js';
import { concludeCompression, fitted } from './conclude.js';
import type { Decision } from './decision.js';
import { History } from './history.js';
import type { FitOptions } from './options.js';
import type { AskedCut, Cut, FitStep } from './step.js';
import { STRATEGIES } from './strategies/index.js';

/** A fit on its way to a decision: `step` is what it needs now, `next` gives it and returns the following step. */
export interface Fit {
  readonly step: FitStep;
  next(cut: Cut): FitStep;
}

/**
 * Begins to fit a conversation of which only the tokens are known. Do what `step` asks for until it is `decided`:
 * it is so at once unless texts must be cut. Ledger and options are only read.
 *
 * The stages come in their order (langroid-overflow §3 to §5): shrink the output, else compress the history, else
 * refuse.
 */
export function startFit(ledger: Ledger, options: FitOptions): Fit {
  const history = new History(ledger);
  const outputTokens = outputBesideHistory(history.tokens, options);
  if (outputTokens !== null) {
    const outcome = outputTokens < options.maxOutputTokens ? 'output_reduced' : 'fits';
    return decided(fitted(outcome, outputTokens, history, options));
  }
  const strategy = STRATEGIES[options.strategy];
  const pass = strategy.compress(history, historyBudgetTokens(options), options.markerTokens);
  return pass === undefined
    ? decided(concludeCompression(history, options))
    : cutting(pass, () => concludeCompression(history, options));
}

/** Messages whose texts must be at hand for the cuts that the fit may ask for, ascending. */
export function cuttableMessages(ledger: Ledger, options: FitOptions): number[] {
  return STRATEGIES[options.strategy].cuttableMessages(ledger, options.markerTokens);
}

/** The decision of a fit whose cuts were made elsewhere, in a thread or earlier; all of them and no others. */
export function replayFit(ledger: Ledger, options: FitOptions, cuts: readonly Cut[]): Decision {
  const fit = startFit(ledger, options);
  for (const cut of cuts) fit.next(cut);
  if (fit.step.type !== 'decided') throw new Error(`the fit needs more than the ${cuts.length} cuts given`);
  return fit.step.decision;
}

/** A fit that asks for one cut after the other before it is decided. */
function cutting(pass: Generator<AskedCut, void, Cut>, conclude: () => Decision): Fit {
  const toStep = (result: IteratorResult<AskedCut, void>): FitStep =>
    result.done ? { type: 'decided', decision: conclude() } : result.value;
  let step = toStep(pass.next());
  return {
    get step() {
      return step;
    },
    next(cut) {
      if (step.type === 'decided') throw alreadyDecided();
      if (step.index !== cut.index) {
        throw new Error(`the fit asked for a cut of message ${step.index}, not ${cut.index}`);
      }
      step = toStep(pass.next(cut));
      return step;
    },
  };
}

function decided(decision: Decision): Fit {
  return {
    step: { type: 'decided', decision },
    next() {
      throw alreadyDecided();
    },
  };
}

const alreadyDecided = () => new Error('the fit is decided and takes no further cut');
