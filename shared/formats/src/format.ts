import type {
  Conversation,
  Edit,
  Fitted,
  Issue,
  Json,
  JsonObject,
  ListedMessage,
  Steps,
} from '@preflight/core';
import type { ReplaceFile } from './chat/files.js';
import type { InstructionsPlace } from './place-summary.js';

/**
 * A request as one provider writes it: what counts in it, and how it is changed. All that the product knows about a
 * format stands in its file. Whatever grows with a request is done in steps.
 */
export interface Format {
  /** As requests name it. */
  readonly name: string;
  /** What comes in it, to be read behind its name: one line in the schema of requests and in the usage of the command. */
  readonly description: string;
  /** Fields of the provider's request that may stand flat, beside the options of a call. */
  readonly flatFields: readonly string[];
  /**
   * What it is a literal copy of decides its results with `count: "content"`, even where a provider refuses them:
   * calls and results are then messages like others.
   */
  readonly isLiteral?: boolean;
  /** Whether a request looks like one in this format and in no other. Looks at its shape alone, and at no text. */
  detect(request: JsonObject): boolean;
  /** Most tokens that the request lets the model write, unread; without it, the two fields of Chat Completions tell. */
  maxOutput?(request: JsonObject): Json | undefined;
  /** How many messages a request has, read or not. */
  messageCount(request: JsonObject): number;
  /**
   * What counts in the request. Fields that do not count are neither read nor checked, so that a request the
   * provider accepts is accepted here. Some rules go by the model. Pointers of issues are relative to the request: `/messages/3/content/0/text`.
   */
  parse(request: JsonObject, model?: string | undefined): Steps<ParseResult>;
  /** The edits that turn the request into what the decision says, in their order. */
  edits(request: JsonObject, conversation: Conversation, decision: Fitted): Steps<Edit[]>;
  /**
   * The request with the edits applied, as a new value: the given one is never changed, unchanged parts are shared,
   * and unknown fields, absent content and `content: null` stay as given. Edits must be in their order (`Edit`).
   */
  apply(request: JsonObject, edits: readonly Edit[]): Steps<JsonObject>;
  /**
   * The messages as langchain-core reads them, for the strict mode and its approximate count. Absent where it does not
   * read the format.
   */
  list?(request: JsonObject): Steps<ListResult>;
  /**
   * The request with something else in place of the files in it that count, for who sends them by digest. As with
   * `apply`, the given one is never changed.
   */
  replaceFiles(request: JsonObject, replace: ReplaceFile): JsonObject;
  /** Fields that refer to what the provider keeps, which then is neither counted nor cut here. */
  providerState?(request: JsonObject): readonly string[];
  /** Whether `edits` writes notes in the place of attachments (`attachmentNotes` of a decision). */
  readonly canNoteAttachments?: boolean;
  /** Where instructions stand, for what is added to them. Absent where nothing can be added. */
  readonly instructions?: InstructionsPlace;
  /** What whoever applies the edits has to know, if anything. */
  warnings?(edits: readonly Edit[]): readonly FormatWarning[];
}

/** As answers have it: a stable name, and a sentence without content. */
export interface FormatWarning {
  readonly code: string;
  readonly detail: string;
}

/** A conversation, or what is wrong with the request, at most `MAX_ISSUES` places. */
export type ParseResult = { readonly conversation: Conversation } | { readonly issues: readonly Issue[] };

/** The messages of a request, in order, or what is wrong with it. */
export type ListResult =
  | { readonly messages: readonly ListedMessage[] }
  | { readonly issues: readonly Issue[] };
