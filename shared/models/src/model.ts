/** Who makes a model. */
export type Provider = 'openai' | 'anthropic' | 'google' | 'meta' | 'mistral' | 'qwen' | 'deepseek';

/** A model of the catalog. */
export interface Model {
  readonly id: string;
  readonly provider: Provider;
  /** Models of one family share the rules for chat overhead and tool schemas. */
  readonly family: string;
  /** Tokens that the model can read; for most models what it writes is part of it (formats.md §4). */
  readonly contextWindowTokens: number;
  /** Null where the model has no limit of its own below its window. */
  readonly maxOutputTokens: number | null;
  /** Encoding to count with. */
  readonly encoding: string;
  /** False where the model's own vocabulary is not public, or not at hand, and `encoding` stands in for it. */
  readonly exactEncoding: boolean;
  /** Where window and output limit come from. */
  readonly source: string;
  /** Year and month of the source. */
  readonly retrievedAt: string;
}
