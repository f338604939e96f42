import type { Limit } from './overflow.js';
import type { elideAttachments } from './strategies/elide-attachments.js';
import type { RefusalCode, StrategyReason } from './strategies/index.js';

/** The conversation cannot be made to fit: the code, the figures and what would help (langroid-overflow §8). */
export interface Refused {
  readonly outcome: 'refused';
  readonly code: RefusalCode;
  /** With codes that are about certain messages: which, as input indices. */
  readonly indices?: readonly number[];
  readonly figures: Figures;
  /** What the history is too large for; or, if it is not, what leaves too little output beside it. */
  readonly limit: Limit;
  /** If over the budget: everything that is left and has tokens, the sum being `historyTokensAfter`. Else empty. */
  readonly unshrinkable: readonly Unshrinkable[];
  readonly hints: readonly Hint[];
}

/** The seven numbers of langroid-overflow §8. `shortfall` 0 means that the output is too small, not the budget. */
export interface Figures {
  readonly historyTokensBefore: number;
  readonly historyTokensAfter: number;
  readonly budget: number;
  readonly shortfall: number;
  readonly contextWindow: number | null;
  readonly maxOutputTokens: number;
  readonly minOutputTokens: number;
  /** With a budget of bytes. */
  readonly bytes?: ByteFigures;
}

/** Bytes of the request as JSON. */
export interface ByteFigures {
  readonly before: number;
  readonly after: number;
  readonly budget: number;
  readonly shortfall: number;
}

/** Tokens that no step of the strategy could remove; `index` is null for the overhead of the request. */
export interface Unshrinkable {
  readonly index: number | null;
  readonly reason: UnshrinkableReason;
  readonly contentTokens: number;
  readonly attachmentTokens: number;
  readonly otherTokens: number;
  /** With a budget of bytes: those of the request's JSON that are left of it; its texts, its attachments, and all together. */
  readonly contentBytes?: number;
  readonly attachmentBytes?: number;
  readonly bytes?: number;
}

/** `system` is any message of the protected front, whatever its role (langroid-overflow §8, §10.10). */
export type UnshrinkableReason =
  | 'request_overhead'
  | 'system'
  | 'no_user_message'
  | 'last_user'
  | 'after_last_user'
  | 'pinned'
  | StrategyReason;

/** Something that the caller can do about it; `detail` is a sentence with figures and never content. */
export interface Hint {
  readonly code: HintCode;
  readonly detail: string;
}

/** In the order in which they are given. Those about the budget come only if `budgetTokens` was given. */
export type HintCode =
  | 'raise_context_window'
  | 'lower_min_output_tokens'
  | 'lower_max_output_tokens'
  | 'raise_max_output_tokens'
  | 'raise_budget_tokens'
  | 'lower_budget_tokens'
  | 'raise_max_request_bytes'
  | 'shorten_system'
  | 'shorten_last_user'
  | 'shorten_after_last_user'
  | 'shorten_before_first_user'
  | 'shorten_pinned'
  | 'reduce_attachments'
  | typeof elideAttachments.name;
