import fc from 'fast-check';
import { conversations, type Generated } from '../conversations/index.js';
import type { Service } from './service.js';
import { trial, type Verdict, waysToFit } from './trial.js';

export interface RunOptions {
  readonly format: string;
  readonly conversations: number;
  readonly budgets: number;
  readonly seed: number;
  /** Of the strategies' options, so many for each conversation, by turns; all of them if there are no more. */
  readonly optionWays: number;
  /** Told from time to time what there is so far. */
  readonly onProgress?: ((tally: Tally) => void) | undefined;
}

/** Conversations from one report to the next. */
const PROGRESS_STEP = 100;

/** What a run over one format came to. */
export interface Tally {
  readonly options: RunOptions;
  conversations: number;
  results: number;
  readonly outcomes: Map<string, number>;
  /** Refusals of budgets below what every strategy keeps. */
  belowFloor: number;
  /** By strategy and code. */
  readonly refusals: Map<string, number>;
  /** By strategy and law. */
  readonly faults: Map<string, number>;
}

/** Conversations at a time, so that this thread works while another counts. */
const CONCURRENCY = 8;

/** Judges every result of every conversation and counts. The same seed gives the same conversations. */
export async function run(service: Service, options: RunOptions): Promise<Tally> {
  const { format, seed, budgets, optionWays, onProgress } = options;
  const tally: Tally = {
    options,
    conversations: 0,
    results: 0,
    belowFloor: 0,
    outcomes: new Map(),
    refusals: new Map(),
    faults: new Map(),
  };
  const left = fc.sample(conversations(format), { seed, numRuns: options.conversations }).entries();
  const judgeThem = async () => {
    for (const [turn, generated] of left) {
      const ways = waysToFit(turn, optionWays);
      for await (const verdict of trial(service, generated, budgets, ways)) note(tally, verdict);
      tally.conversations += 1;
      if (tally.conversations % PROGRESS_STEP === 0) onProgress?.(tally);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, judgeThem));
  return tally;
}

function note(tally: Tally, { way, refusal, isBelowFloor, outcome, faults }: Verdict): void {
  tally.results += 1;
  if (isBelowFloor) tally.belowFloor += 1;
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  if (refusal !== undefined) add(tally.refusals, `${way}: ${refusal}`);
  if (outcome !== undefined) add(tally.outcomes, outcome);
  for (const { law } of faults) add(tally.faults, `${way}: ${law}`);
}

/** The smallest conversation that breaks a law, without what is said in it; undefined if none does. */
export async function counterexample(
  service: Service,
  options: RunOptions,
): Promise<{ readonly generated: Generated; readonly verdict: Verdict } | undefined> {
  const firstFault = async (generated: Generated) => {
    for await (const verdict of trial(service, generated, options.budgets))
      if (verdict.faults.length > 0) return verdict;
    return undefined;
  };
  const holds = fc.asyncProperty(
    conversations(options.format),
    async (generated) => (await firstFault(generated)) === undefined,
  );
  const { seed, conversations: numRuns } = options;
  const checked = await fc.check(holds, { seed, numRuns });
  const generated = checked.counterexample?.[0];
  if (generated === undefined) return undefined;
  return { generated, verdict: (await firstFault(generated)) as Verdict };
}
