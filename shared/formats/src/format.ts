import type { Conversation, Edit, Fitted, Issue, JsonObject } from '@preflight/core';

/** Formats in which a conversation may come. */
export type FormatName = 'openai-chat' | 'langroid';

/** A request as one provider writes it: what counts in it, and how it is changed. */
export interface Format {
  readonly name: FormatName;
  /**
   * What counts in the request. Fields that do not count are neither read nor checked, so that a request the
   * provider accepts is accepted here. Pointers of issues are relative to the request: `/messages/3/content/0/text`.
   */
  parse(request: JsonObject): ParseResult;
  /** The edits that turn the request into what the decision says, ordered by input index, at most one a message. */
  edits(request: JsonObject, conversation: Conversation, decision: Fitted): Edit[];
  /**
   * The request with the edits applied, as a new value: the given one is never changed, unchanged parts are shared,
   * and unknown fields, absent content and `content: null` stay as given. Edits must be ordered by index.
   */
  apply(request: JsonObject, edits: readonly Edit[]): JsonObject;
}

/** A conversation, or what is wrong with the request, at most `MAX_ISSUES` places. */
export type ParseResult = { readonly conversation: Conversation } | { readonly issues: readonly Issue[] };
