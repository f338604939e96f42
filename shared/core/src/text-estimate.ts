import { TEXT_KINDS, type TextKind } from './text-kind.js';

/** Tokens of a model for one token of the encoding that stands in for its own: what is expected, and between which bounds. */
export interface TokenRatio {
  readonly tokens: number;
  readonly low: number;
  readonly high: number;
}

/** How texts are estimated of which the model's own vocabulary is not at hand: counted in another, times a ratio for each kind. */
export interface TextEstimate {
  /** The rule that the ratios are from, and its year and month, or the day of the last sample that it was learned from. */
  readonly rule: string;
  readonly date: string;
  /** How many samples it was learned from; absent for a rule that stands in our tables. */
  readonly samples?: number;
  readonly ratios: Readonly<Record<TextKind, TokenRatio>>;
}

/** Tokens that stand for `countedTokens` of a text of a kind; every text is rounded by itself, so that parts add up to what is told of the whole. */
export function estimatedTokens({ ratios }: TextEstimate, kind: TextKind, countedTokens: number): number {
  return Math.round(countedTokens * ratios[kind].tokens);
}

/** The kind whose texts count most. */
export function dearestKind({ ratios }: TextEstimate): TextKind {
  return TEXT_KINDS.reduce((dearest, kind) =>
    ratios[kind].tokens > ratios[dearest].tokens ? kind : dearest,
  );
}

/** The most counted tokens that a text of a kind may have so that no more than `tokens` stand for them. */
export function countedWithin({ ratios }: TextEstimate, kind: TextKind, tokens: number): number {
  return Math.floor(tokens / ratios[kind].tokens);
}

/** How far off the tokens of texts may be, downwards and upwards. `countedTokens` are theirs by kind, in the order of `TEXT_KINDS`. */
export function estimateMargins(
  { ratios }: TextEstimate,
  countedTokens: readonly number[],
): { readonly belowTokens: number; readonly aboveTokens: number } {
  let below = 0;
  let above = 0;
  for (const [i, kind] of TEXT_KINDS.entries()) {
    const { tokens, low, high } = ratios[kind];
    below += (tokens - low) * (countedTokens[i] ?? 0);
    above += (high - tokens) * (countedTokens[i] ?? 0);
  }
  return { belowTokens: Math.ceil(below), aboveTokens: Math.ceil(above) };
}

/**
 * How far off the tokens of some of these texts may be, `tokens` in all: as far as those of the least certain kinds, as many as there
 * are of each.
 */
export function estimateMarginsOfSome(
  { ratios }: TextEstimate,
  countedTokens: readonly number[],
  tokens: number,
): { readonly belowTokens: number; readonly aboveTokens: number } {
  const farthest = (marginOf: (ratio: TokenRatio) => number) => {
    const kinds = TEXT_KINDS.map((kind, i) => {
      const ratio = ratios[kind];
      return { tokens: ratio.tokens * (countedTokens[i] ?? 0), margin: marginOf(ratio) / ratio.tokens };
    });
    let left = tokens;
    let margin = 0;
    for (const kind of kinds.sort((a, b) => b.margin - a.margin)) {
      const taken = Math.min(left, kind.tokens);
      margin += taken * kind.margin;
      left -= taken;
    }
    return Math.ceil(margin);
  };
  return {
    belowTokens: farthest(({ tokens, low }) => tokens - low),
    aboveTokens: farthest(({ tokens, high }) => high - tokens),
  };
}
