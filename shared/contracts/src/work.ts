import type { AttachmentFigures, MediaPricing, OverheadRule } from '@preflight/accounting';
import type {
  Conversation,
  Decision,
  FitOptions,
  Ledger,
  LedgerBytes,
  ListedMessage,
  TextEstimate,
  TrimDecision,
  TrimOptions,
} from '@preflight/core';

/** What the API asks of whoever does the work: the coordinator in this process, or (over a queue) on another host. */
export interface Work {
  /** Counts a conversation and decides how it fits. */
  preflight(job: PreflightJob, signal: AbortSignal): Promise<PreflightResult>;
  /** Counts a conversation, or a list. */
  count(job: CountJob | ListJob, signal: AbortSignal): Promise<CountResult>;
  /** Counts a list and decides what of it is kept. */
  trim(job: TrimJob, signal: AbortSignal): Promise<TrimResult>;
}

/**
 * Looks at a body while it comes, so that work on what is long in it begins at once: called with the memory that it comes into,
 * whatever that held before; what it gives is called whenever more of the body is there, with how many bytes are.
 */
export type WatchBody = (memory: Buffer<SharedArrayBuffer>) => (receivedBytes: number) => void;

export interface CountJob {
  readonly conversation: Conversation;
  /** As the caller wrote it; the serialization of attachments goes by it. */
  readonly model: string | undefined;
  /** Its family in the catalog; chat overhead goes by it. Undefined for models outside the catalog. */
  readonly family: string | undefined;
  /** What stands around its messages; absent: what is shipped for the family. */
  readonly overheadRule?: OverheadRule | undefined;
  readonly encoding: string;
  /** Set where the encoding stands in for a vocabulary that is not at hand. */
  readonly estimate?: TextEstimate | undefined;
  readonly count: 'content' | 'request';
  /** How attachments are counted; absent where there are none. */
  readonly media?: MediaPricing | undefined;
  /** Calls and results are messages like others, as the reference that the format copies has it; by default they are kept together. */
  readonly isLiteral?: boolean;
}

export interface PreflightJob extends CountJob {
  /** All but the marker's tokens, which are counted in the job's encoding. */
  readonly fit: Omit<FitOptions, 'markerTokens'>;
  /** What the request has in bytes, if `fit` has a budget of them. */
  readonly bytes?: LedgerBytes | undefined;
}

/** A list of messages, counted as langchain-core does. */
export interface ListJob {
  readonly messages: readonly ListedMessage[];
  readonly counter: ListCounter;
}

/** What counts a list: its messages; their tokens and so many a message; or their characters. */
export type ListCounter =
  | { readonly kind: 'length' }
  | { readonly kind: 'tokens'; readonly encoding: string; readonly perMessageTokens: number }
  | { readonly kind: 'approximate' };

export interface TrimJob extends ListJob {
  readonly options: TrimOptions;
}

export interface CountFigures {
  readonly cache: { readonly hits: number; readonly misses: number };
  readonly queueMs: number;
  readonly countMs: number;
}

export interface CountResult extends CountFigures {
  /** Where texts were estimated, the ledger and all that follows from it holds estimates. */
  readonly ledger: Ledger;
  /**
   * What tokens of messages and of the request are made of beside own text, attachments and formatting, three numbers each: message or -1 for the
   * request, position in `TOKEN_KINDS`, tokens. In the order of messages, the request's at the end.
   */
  readonly kinds: Int32Array;
  readonly estimate?: EstimatedTexts | undefined;
  /** Every attachment by both accountings, in the order of messages. */
  readonly attachments?: readonly AttachmentFigures[] | undefined;
  /** Input indices of messages with an attachment that has neither bytes nor a usable URL (langroid-overflow §10.12). */
  readonly emptyAttachments: readonly number[];
}

/** How texts were estimated, and what of them was counted. */
export interface EstimatedTexts extends TextEstimate {
  /** What all texts but attachments came to. */
  readonly tokens: number;
  /** The same in the encoding that stood in, before it was multiplied: by kind of text, in the order of `TEXT_KINDS`. */
  readonly countedTokens: readonly number[];
}

export interface PreflightResult extends CountResult {
  readonly decision: Decision;
  readonly fitMs: number;
}

export interface TrimResult extends CountResult {
  readonly decision: TrimDecision;
  readonly trimMs: number;
}
