import type { LedgerRole } from '../ledger.js';
import type { CutSide } from './step.js';
import type { FitStrategy } from './strategies/index.js';
import type { WindowOptions } from './window-options.js';
import type { WindowType } from './window-type.js';

/** The numbers that a conversation has to fit into (langroid-overflow §1). Any integer is legal, 0 included. */
export interface FitOptions {
  /** What to do with a history over its budget: each is tried on what the earlier ones left. At least one. */
  readonly strategies: readonly FitStrategy[];
  /** Tokens that the model reads and writes together. Null only if `budgetTokens` is given. */
  readonly contextWindowTokens: number | null;
  /** How input and output share the window; by default, their sum must be within it. */
  readonly windowType?: WindowType;
  /** What the model reads at most, where that is a limit of its own; windows that are not shared have one. */
  readonly maxInputTokens?: number;
  /** Output asked for, as far as the model's limit allows; may be below `minOutputTokens`. */
  readonly maxOutputTokens: number;
  /** Output asked for, where the model's limit is lower. */
  readonly askedOutputTokens?: number;
  /** Smallest acceptable output once something had to give way. */
  readonly minOutputTokens: number;
  /** Safety margin for count errors, kept free whenever the output is reduced or the history compressed. */
  readonly bufferTokens: number;
  /**
   * Budget of the history in place of window - minimal output - buffer. The history must then be within it, whether
   * or not the output would fit beside it. Within the budget, the output follows stage 1 of the window; after
   * compression it is what the window leaves, at most `maxOutputTokens`. Without a window it is `maxOutputTokens`.
   */
  readonly budgetTokens?: number;
  /** Bytes that the request may have as JSON, its ledger having them (`LedgerBytes`). Both budgets must hold. */
  readonly maxRequestBytes?: number;
  /** Kept free besides once the history has to be compressed, for a summary of what is left out. */
  readonly summaryTokens?: number;
  /** Messages that nothing may be done to, as input indices. */
  readonly pins?: readonly number[];
  /** Shares go by a common level instead of by the order of messages. Also where there are `weights`. */
  readonly isMaxMin?: boolean;
  /** What the level of a message is multiplied with; 1 for those that are not listed. */
  readonly weights?: readonly { readonly index: number; readonly weight: number }[];
  /** What a cut keeps of messages of a role; the head of all others. */
  readonly cutSides?: Partial<Readonly<Record<LedgerRole, CutSide>>>;
  /** The format can write a note in the place of attachments. Without it, they stay. */
  readonly canNoteAttachments?: boolean;
  /** Messages whose attachments stay all the same, as input indices. */
  readonly fixedAttachments?: readonly number[];
  /** Of strategies that keep a window; by default `DEFAULT_WINDOW`. */
  readonly window?: WindowOptions;
  /** Tokens of the marker `MARK` in the request's encoding. */
  readonly markerTokens: number;
}

/** What a request has to keep, apart from how. */
export type FitLimits = Pick<
  FitOptions,
  | 'contextWindowTokens'
  | 'windowType'
  | 'maxInputTokens'
  | 'maxOutputTokens'
  | 'askedOutputTokens'
  | 'minOutputTokens'
  | 'bufferTokens'
  | 'budgetTokens'
>;
