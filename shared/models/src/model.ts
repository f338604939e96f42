import type { Capability, ReasoningHabit, WindowType } from '@preflight/core';

/** Makers of the models that are shipped; an operator may add others. */
export type Maker =
  | 'openai'
  | 'anthropic'
  | 'google'
  | 'xai'
  | 'meta'
  | 'mistral'
  | 'qwen'
  | 'deepseek'
  | 'moonshotai';

/** Who makes a model. */
export type Provider = Maker | (string & {});

/** A model of the catalog. */
export interface Model {
  readonly id: string;
  readonly provider: Provider;
  /** Models of one family share the rules for chat overhead and tool schemas. */
  readonly family: string;
  /** How input and output share the window (formats.md §4). */
  readonly windowType: WindowType;
  /** Tokens that the model reads and writes together; of a `separate` window, what it reads. */
  readonly contextWindowTokens: number;
  /** Of models that some clouds serve with a smaller window. */
  readonly cloudContextWindowTokens?: number;
  /** What the model reads at most, where that is published as a limit of its own. */
  readonly maxInputTokens: number | null;
  /** Null where the model has no limit of its own below its window, or none is known. */
  readonly maxOutputTokens: number | null;
  /** Encoding to count with. */
  readonly encoding: string;
  /** False where the model's own vocabulary is not public, or not at hand, and `encoding` stands in for it. */
  readonly exactEncoding: boolean;
  readonly capabilities: readonly Capability[];
  readonly reasoning: ReasoningHabit;
  /** What its maker asks for it; null where that is not known, or depends on who hosts it. */
  readonly prices: Prices | null;
  /** Where window and limits come from. */
  readonly source: string;
  /** Year and month of the source. */
  readonly retrievedAt: string;
}

/** US dollars for a million tokens. */
export interface Prices extends TokenPrices {
  /** For the whole request once its input is longer than `aboveTokens`. */
  readonly longInput?: TokenPrices & { readonly aboveTokens: number };
  readonly source: string;
  readonly date: string;
}

export interface TokenPrices {
  readonly input: number;
  /** Input that the provider remembers from an earlier request; null where that is not cheaper, or not known. */
  readonly cachedInput: number | null;
  readonly output: number;
}
