/**
 * What a figure rests on. `exact`: a published encoding on plain text. `formula`: a published rule, or one that reproduces live
 * checks. `estimate`: our own model, with a margin. `bound`: nothing is known of it but what it can be at most.
 */
export const FIGURE_BASES = ['exact', 'formula', 'estimate', 'bound'] as const;

export type FigureBasis = (typeof FIGURE_BASES)[number];

/** Tokens, and how they are known. */
export interface Figure {
  /** The best single number: what is trimmed by. */
  readonly tokens: number;
  readonly low: number;
  /** What it can be at most: what is gated by. */
  readonly high: number;
  readonly basis: FigureBasis;
  /** Id of the rule, and the month in which it was looked up. */
  readonly rule: string;
  readonly date: string;
}

/** How far a figure may be off: its upper bound is `tokens * (1 + fraction) + tokens`. */
export interface Margin {
  readonly fraction: number;
  readonly tokens: number;
}

/** The bounds of a number of tokens that may be off by a margin, as whole tokens and never below 0. */
export function boundsOf(tokens: number, margin: Margin): Pick<Figure, 'low' | 'high'> {
  const room = tokens * margin.fraction + margin.tokens;
  return { low: Math.max(0, Math.floor(tokens - room)), high: Math.ceil(tokens + room) };
}

/** Numbers of figures that are added up. */
export type Total = Pick<Figure, 'tokens' | 'low' | 'high' | 'basis'>;

/** The sum of figures: exact only if all of its parts are, and else as weak as the weakest. Of nothing, exactly 0. */
export function totalOf(parts: Iterable<Total>): Total {
  let total: Total = { tokens: 0, low: 0, high: 0, basis: 'exact' };
  for (const { tokens, low, high, basis } of parts)
    total = {
      tokens: total.tokens + tokens,
      low: total.low + low,
      high: total.high + high,
      basis: weaker(total.basis, basis),
    };
  return total;
}

/** The one of two that says less. */
export function weaker(one: FigureBasis, other: FigureBasis): FigureBasis {
  return FIGURE_BASES.indexOf(one) > FIGURE_BASES.indexOf(other) ? one : other;
}
