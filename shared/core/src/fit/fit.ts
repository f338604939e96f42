import type { Ledger } from '../ledger.js';
import { budgetsOf, outputBesideHistory } from './budget.js';
import { compress } from './compress.js';
import { conclude } from './conclude.js';
import type { Decision } from './decision.js';
import { History } from './history.js';
import type { FitOptions } from './options.js';
import type { AskedCut, Cut, FitStep } from './step.js';

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
  const stages = fitting(ledger, options);
  const toStep = (result: IteratorResult<AskedCut, Decision>): FitStep =>
    result.done ? { type: 'decided', decision: result.value } : result.value;
  let step = toStep(stages.next());
  return {
    get step() {
      return step;
    },
    next(cut) {
      if (step.type === 'decided') throw new Error('the fit is decided and takes no further cut');
      if (step.index !== cut.index) {
        throw new Error(`the fit asked for a cut of message ${step.index}, not ${cut.index}`);
      }
      step = toStep(stages.next(cut));
      return step;
    },
  };
}

/** The decision of a fit whose cuts were made elsewhere, in a thread or earlier; all of them and no others. */
export function replayFit(ledger: Ledger, options: FitOptions, cuts: readonly Cut[]): Decision {
  const fit = startFit(ledger, options);
  for (const cut of cuts) fit.next(cut);
  if (fit.step.type !== 'decided') throw new Error(`the fit needs more than the ${cuts.length} cuts given`);
  return fit.step.decision;
}

function* fitting(ledger: Ledger, options: FitOptions): Generator<AskedCut, Decision, Cut> {
  const history = new History(ledger, budgetsOf(options), options.pins);
  const compressed = yield* compress(
    history,
    options,
    ({ tokens, isOverBytes }) => !isOverBytes && outputBesideHistory(tokens, options) !== null,
  );
  return conclude(compressed, history, options);
}
