import { STRATEGIES, type StrategyOutcome } from './strategies/index.js';

/** What a conversation that fits came to, as answers name it. */
export type FittedOutcome = 'fits' | 'output_reduced' | StrategyOutcome;

/** Every outcome, in words. */
export const OUTCOMES_IN_WORDS: Readonly<Record<FittedOutcome, string>> = {
  fits: 'Fits as it is',
  output_reduced: 'Fits with less output',
  ...(Object.fromEntries(
    Object.values(STRATEGIES).map(({ outcome, outcomeInWords }) => [outcome, outcomeInWords]),
  ) as Record<StrategyOutcome, string>),
};
