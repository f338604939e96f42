import type { Refusal } from '../fit/strategies/strategy.js';
import { trim } from '../fit/strategies/trim.js';

/**
 * The strict mode: what `trim_messages` of langchain-core (Python) 1.6.5 gives, message for message (langchain-trim.md,
 * sections 1 to 7). It is no stage of a fit: it knows no window and no output, and never refuses; what its result may be
 * refused for by a provider stands in the hazards.
 */
export const TRIM_MESSAGES = {
  /** As requests name it; its options stand under the same name. */
  name: 'trim_messages',
  description:
    'keeps the newest or the oldest messages exactly as the function of langchain-core does, and says in `hazards` what a provider may refuse',
  /** As answers name the result when it is not the input, or not within the budget. */
  outcome: trim.outcome,
  outcomeInWords: 'Trimmed as langchain-core does',
} as const;

/** What is refused about one of the options, an error of the catalog. */
export interface TrimOptionRefusal extends Refusal {
  readonly code: TrimOptionCode;
  /** As requests name it. */
  readonly option: string;
  /** What is wrong with it, to be read behind its name. */
  readonly detail: string;
}

/** What is refused about the options, as langchain-core refuses it; answered with 400. */
export const TRIM_OPTION_REFUSALS = {
  startOn: {
    option: 'start_on',
    detail: 'goes with the strategy `last` only',
    code: 'start_on_with_first',
    title: 'Option start_on with strategy first',
    description: 'The option `start_on` goes with the strategy `last` only.',
  },
  includeSystem: {
    option: 'include_system',
    detail: 'goes with the strategy `last` only',
    code: 'include_system_with_first',
    title: 'Option include_system with strategy first',
    description: 'The option `include_system` goes with the strategy `last` only.',
  },
  strategy: {
    option: 'strategy',
    detail: 'must be first or last',
    code: 'unknown_strategy',
    title: 'Unknown strategy',
    description: 'The strategy of `trim_messages` is `first` or `last`.',
  },
} as const satisfies Record<string, Refusal & { option: string; detail: string }>;

export type TrimOptionCode = (typeof TRIM_OPTION_REFUSALS)[keyof typeof TRIM_OPTION_REFUSALS]['code'];
