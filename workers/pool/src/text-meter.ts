import {
  countedWithin,
  dearestKind,
  estimatedTokens,
  type TextEstimate,
  type TextKind,
  textKindOf,
} from '@preflight/core';
import type { Counter, LimitedCount } from '@preflight/tokenizer';

/** What a cut leaves of a text. */
interface Left {
  readonly countedTokens: number;
  /** The text that is left, in pieces. */
  readonly left: readonly Uint8Array[];
}

/** How many tokens of the encoding make no more than so many tokens of the request. */
type ToCounted = (tokens: number) => number;

/**
 * Tokens of texts in the unit of a request: those of its encoding, or what its model is estimated to make of them. A text
 * is estimated by its own kind, so that a recount of what a cut has left comes to the same.
 */
export class TextMeter {
  constructor(
    readonly counter: Counter,
    private readonly estimate?: TextEstimate,
  ) {}

  count(text: string): number {
    return this.#tokensOf(this.counter.count(text), [encoder.encode(text)]);
  }

  /** As `Counter.countUpTo`. */
  countUpTo(text: Uint8Array, limitTokens: number): LimitedCount {
    if (this.estimate === undefined) return this.counter.countUpTo(text, limitTokens);
    const kind = textKindOf([text]);
    const { tokens, exceeded } = this.counter.countUpTo(
      text,
      countedWithin(this.estimate, kind, limitTokens),
    );
    return { tokens: estimatedTokens(this.estimate, kind, tokens), exceeded };
  }

  /**
   * Cuts a text, and tells the tokens of what is left. Where that is of a kind that counts more than the text, which is
   * seldom, it is cut again, and short enough for any kind.
   */
  cut<Cut extends Left>(
    text: Uint8Array,
    cut: (counted: ToCounted) => Cut,
  ): Cut & { readonly tokens: number } {
    const { estimate } = this;
    if (estimate === undefined) {
      const made = cut((tokens) => tokens);
      return { ...made, tokens: made.countedTokens };
    }
    const { ratios } = estimate;
    const cutAs = (kind: TextKind) => cut((tokens) => countedWithin(estimate, kind, tokens));
    const kind = textKindOf([text]);
    let made = cutAs(kind);
    if (ratios[textKindOf(made.left)].tokens > ratios[kind].tokens) made = cutAs(dearestKind(estimate));
    return { ...made, tokens: this.#tokensOf(made.countedTokens, made.left) };
  }

  #tokensOf(countedTokens: number, pieces: readonly Uint8Array[]): number {
    if (this.estimate === undefined) return countedTokens;
    return estimatedTokens(this.estimate, textKindOf(pieces), countedTokens);
  }
}

const encoder = new TextEncoder();
