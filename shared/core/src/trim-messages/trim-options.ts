import type { RoleOfType } from './message-type.js';
import { TRIM_OPTION_REFUSALS, type TrimOptionRefusal } from './trim-strategy.js';

/** How a text is taken apart: behind each line break, or behind the white space that follows a word. */
export const TEXT_SPLITTERS = ['lines', 'words'] as const;

export type TextSplitter = (typeof TEXT_SPLITTERS)[number];

/** The options of langchain-trim.md, section 1, checked and with their defaults. */
export interface TrimOptions {
  /** Inclusive; 0 and less are legal. */
  readonly maxTokens: number;
  /** `last` keeps the newest messages, `first` the oldest. */
  readonly strategy: 'first' | 'last';
  /** Whether the message at the boundary may be shortened. */
  readonly allowPartial: boolean;
  /** Types on which the result must end, or start; none: on any. */
  readonly endOn: readonly RoleOfType[];
  readonly startOn: readonly RoleOfType[];
  /** Whether a system message in front stays, whatever it costs. */
  readonly includeSystem: boolean;
  readonly splitter: TextSplitter;
}

/** The same as they come, with any strategy. */
export type GivenTrimOptions = Omit<TrimOptions, 'strategy'> & { readonly strategy: string };

/** The options, or why they are refused; what is wrong is looked for in langchain-core's own order. */
export function checkTrimOptions(options: GivenTrimOptions): TrimOptions | TrimOptionRefusal {
  const { strategy, startOn, includeSystem } = options;
  if (strategy === 'first' && startOn.length > 0) return TRIM_OPTION_REFUSALS.startOn;
  if (strategy === 'first' && includeSystem) return TRIM_OPTION_REFUSALS.includeSystem;
  if (strategy !== 'first' && strategy !== 'last') return TRIM_OPTION_REFUSALS.strategy;
  return { ...options, strategy };
}
