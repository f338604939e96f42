import { boundsOf, type Figure, type FigureBasis } from '../figure.js';
import type { MediaRule } from './media-rule.js';
import type { HeldRule } from './rules-for-model.js';

/** Why a provider would not take a file, as answers name it. */
export type MediaError =
  /** More patches than are taken, after all scaling. */
  | 'image_rejected'
  /** A side is longer than is taken, in this request. */
  | 'image_dimension_limit'
  /** More pages than are taken. */
  | 'page_limit';

/** A file that the provider refuses. */
export interface RefusedFigure {
  readonly tokens: null;
  readonly error: MediaError;
  /** What the largest file that is taken costs: nothing counts as nothing. */
  readonly high: number;
  readonly rule: string;
  readonly date: string;
}

/** What a provider makes of a file. */
export type MediaFigure = Figure | RefusedFigure;

/** Room for a rule that is only assumed for a model. */
const ASSUMED_FRACTION = 0.1;

interface Cost {
  readonly tokens: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/** A figure by a rule: its bounds are those of the cost, as far as it has any, else those of the rule's margin. */
export function figureOf({ rule, isAssumed }: HeldRule, cost: Cost, basis: FigureBasis = rule.basis): Figure {
  const tokens = Math.ceil(cost.tokens);
  const { fraction, tokens: added } = rule.margin;
  const margin = { fraction: isAssumed ? Math.max(fraction, ASSUMED_FRACTION) : fraction, tokens: added };
  const bounds = boundsOf(tokens, margin);
  const low = Math.min(bounds.low, Math.floor(cost.low ?? bounds.low));
  const high = Math.max(bounds.high, Math.ceil(cost.high ?? bounds.high));
  return {
    ...{ tokens, low, high },
    basis: isAssumed && basis === 'formula' ? 'estimate' : basis,
    ...{ rule: rule.id, date: rule.date },
  };
}

/** A figure of which only the bounds are known; `tokens` is what is usual. */
export function bounded(held: HeldRule, cost: Required<Cost>): Figure {
  return figureOf(held, cost, 'bound');
}

/** The figure of what the provider would not take; `high` is the most that it takes of such files. */
export function refused({ rule }: HeldRule<MediaRule>, error: MediaError, high: number): RefusedFigure {
  return { tokens: null, error, high, rule: rule.id, date: rule.date };
}
